// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import GRDB
import Library
import Testing

/// An undo of the last edits, while another process changes the same photos.
@Suite("undo of photos that were changed since")
struct ChangedSinceUndoTests {
    private let studio: TestStudio
    private let assets: [String]

    init() async throws {
        studio = try TestStudio()
        let studio = studio
        var assets: [String] = []
        for seed in 0..<4 { assets.append(try await studio.add(.gradient(seed: seed))) }
        for asset in assets { _ = try await studio.edit(asset, "adder", ["amount": "3"]) }
        _ = try await studio.host.edit(
            assets, EditRequest(extensionName: "adder", values: ["amount": "7"]),
            in: studio.library)
        // As in a library from before the journal.
        try DatabaseQueue(path: studio.library.path + "/library.sqlite").inDatabase {
            try $0.execute(sql: "DELETE FROM change_value")
        }
        self.assets = assets
    }

    private func positions() throws -> [Int] {
        try assets.map { try studio.library.history(ofAsset: $0).position }
    }

    private func asset(_ index: Int) throws -> Asset {
        try studio.library.history(ofAsset: assets[index]).asset
    }

    private func change(_ index: Int, _ body: (AssetChangeRequest) throws -> Void) throws {
        let asset = try asset(index)
        try studio.library.performChanges { try body(AssetChangeRequest(for: asset)) }
    }

    @Test("photos that are changed after they were looked up are left as they are")
    func before() async throws {
        let before = try positions()
        let edits = try #require(try studio.library.lastEdits())
        #expect(edits.identifiers == assets)
        // The content is the same again, but the change must not be lost.
        try change(0) { try $0.undo() }
        try change(0) { try $0.redo() }
        let removed = try [asset(1), asset(2)]
        try await studio.library.performChanges {
            try AssetChangeRequest.deleteAssets([removed[0]])
            try AssetChangeRequest.removeAssets([removed[1]])
        }
        let results = try await studio.host.undo(edits, in: studio.library)
        #expect(results.map(\.assetIdentifier) == [assets[3]])
        #expect(results.map(\.hasChanged) == [true])
        let (first, last) = try (
            studio.library.history(ofAsset: assets[0]), studio.library.history(ofAsset: assets[3])
        )
        #expect(first.position == before[0] && last.position == before[3] - 1)
        await studio.host.shutDown()
    }

    @Test("photos that are changed before the commit are left as they are")
    func during() async throws {
        let before = try positions()
        let edits = try #require(try studio.library.lastEdits())
        var outcome: Result<Void, any Error>?
        let results = try await studio.host.undo(edits, in: studio.library) { identifier in
            guard identifier == assets[3] else { return }
            outcome = Result {
                try change(0) { try $0.revertAssetContentToOriginal() }
                let trashed = try asset(1)
                try studio.library.performChanges {
                    try AssetChangeRequest.deleteAssets([trashed])
                }
            }
        }
        try #require(outcome).get()
        #expect(results.map(\.assetIdentifier) == Array(assets[2...]))
        #expect(try positions() == [0, before[1], before[2] - 1, before[3] - 1])
        await studio.host.shutDown()
    }
}
