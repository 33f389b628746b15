// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing
import Vips

/// The best frame of a burst is marked.
@Suite("automatic burst picks")
struct BurstPickTests {
    /// A picture of vertical stripes with edges blurred over some pixels.
    private static func stripes(blur: Int, brightness: Int = 0, seed: Int = 0) -> TestPicture {
        var samples: [UInt8] = []
        for y in 0..<200 {
            for x in 0..<300 {
                let place = x % 40
                let edge = max(1, blur)
                let level = min(edge, max(0, place - 20 + edge)) * 120 / edge
                // Makes all files different.
                let mark = x == 0 && y == 0 ? seed : 0
                let value = UInt8(max(0, min(255, 60 + level + brightness + mark)))
                samples += [value, value, value]
            }
        }
        return TestPicture(width: 300, height: 200, bands: 3, samples: samples)
    }

    /// A JPEG of a burst, with the identifier as tag 11 of Apple's maker note.
    private static func frame(_ picture: TestPicture, burst: String) throws -> Data {
        try TestLivePhoto.jpeg(picture, tag: 11, burst)
    }

    @Test("P-16 the sharpest, best exposed frame is picked; the user's pick stays")
    func picked() async throws {
        let studio = try TestStudio()
        let pictures = [
            Self.stripes(blur: 12, seed: 1), Self.stripes(blur: 6, seed: 2),
            Self.stripes(blur: 1, seed: 3),
            // Equally sharp, but mostly white.
            Self.stripes(blur: 1, brightness: 120, seed: 4),
        ]
        var paths: [String] = []
        for (index, picture) in pictures.enumerated() {
            paths.append(
                try studio.folder.write(Self.frame(picture, burst: "BURST"), to: "\(index).jpg"))
        }
        let frames = try await studio.importAll(Array(paths[..<2]))
        #expect(try studio.types(frames) == [[], .autoPick])
        try await studio.library.performChanges {
            let request = try AssetChangeRequest(for: studio.asset(frames[0]))
            request.burstSelectionTypes.insert(.userPick)
        }
        let token = try studio.library.currentChangeToken
        let all = frames + (try await studio.importAll(Array(paths[2...])))
        #expect(try studio.types(all) == [.userPick, [], .autoPick, []])
        // Observers are notified of the new mark and of the removed one.
        let updated = try studio.library.fetchPersistentChanges(since: token).flatMap {
            $0.changeDetails(for: .asset).updatedLocalIdentifiers
        }
        #expect(Set(updated).isSuperset(of: [all[1], all[2]]))
        await studio.host.shutDown()
    }

    @Test("P-16 a single-frame burst and photos without a burst have no pick")
    func alone() async throws {
        let studio = try TestStudio()
        let paths = [
            try studio.folder.write(Self.frame(Self.stripes(blur: 2), burst: "A"), to: "a.jpg"),
            try studio.folder.write(Self.stripes(blur: 3).encoded("jpeg"), to: "b.jpg"),
        ]
        let assets = try await studio.importAll(paths)
        #expect(try studio.types(assets) == [[], []])
        await studio.host.shutDown()
    }
}

extension TestStudio {
    fileprivate func importAll(_ paths: [String]) async throws -> [String] {
        var identifiers: [String] = []
        try await host.importPhotos(at: paths, into: library) { result in
            if let error = result.error { throw error }
            identifiers.append(try result.assetIdentifier.unwrapped())
        }
        return identifiers
    }

    fileprivate func types(_ assets: [String]) throws -> [AssetBurstSelectionType] {
        try assets.map { try asset($0).burstSelectionTypes }
    }
}
