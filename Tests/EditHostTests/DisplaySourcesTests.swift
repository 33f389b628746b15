// SPDX-License-Identifier: Apache-2.0

import Library
import TestSupport
import Testing

@testable import EditHost

/// The cache of what the versions of assets are rendered from.
@Suite("sources of pictures")
struct DisplaySourcesTests {
    @Test("an edit invalidates the sources of its own asset only, and a mark none")
    func invalidation() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(width: 64, height: 48)
        let first = try await studio.add(picture)
        let second = try await studio.add(picture.mapped { 100 + $0 / 8 })
        let sources = DisplaySourceCache(of: studio.library)
        var finds = 0
        func key(of asset: String) throws -> DisplaySource.Key {
            try sources.source(ofAsset: asset, .current) {
                finds += 1
                return try DisplaySource(
                    studio.library.history(ofAsset: asset), .current, in: studio.library,
                    studio.host.planner)
            }.key
        }
        let (original, other) = (try key(of: first), try key(of: second))
        #expect(finds == 2)
        let asset = try studio.library.asset(withLocalIdentifier: first)
        try await studio.library.performChanges {
            try AssetChangeRequest(for: asset).isFavorite = true
        }
        try await studio.edit(second)
        #expect(try key(of: first) == original)
        #expect(finds == 2)
        #expect(try key(of: second) != other)
        #expect(finds == 3)
        try await studio.edit(first)
        #expect(try key(of: first) != original)
        #expect(finds == 4)
        await studio.host.shutDown()
    }
}
