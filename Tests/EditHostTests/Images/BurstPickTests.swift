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

    /// The score that docs/reference/bursts.md defines, for a picture with three equal bands.
    private static func score(_ picture: TestPicture) -> Double {
        func gray(_ x: Int, _ y: Int) -> Double {
            let (x, y) = (min(max(x, 0), picture.width - 1), min(max(y, 0), picture.height - 1))
            return Double(picture.samples[(y * picture.width + x) * 3])
        }
        var (gradients, exposed) = (0.0, 0.0)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                var (across, down) = (0.0, 0.0)
                for (offset, weight) in [(-1, 1.0), (0, 2.0), (1, 1.0)] {
                    across += weight * (gray(x + 1, y + offset) - gray(x - 1, y + offset))
                    down += weight * (gray(x + offset, y + 1) - gray(x + offset, y - 1))
                }
                gradients += (abs(across) + abs(down)) * (abs(across) + abs(down))
                if (5...250).contains(gray(x, y)) { exposed += 1 }
            }
        }
        let count = Double(picture.width * picture.height)
        return gradients / count * (exposed / count)
    }

    @Test(
        "P-16 a burst made by request is picked by the documented measure; removal moves the pick")
    func grouped() async throws {
        let studio = try TestStudio()
        studio.host.attach(to: studio.library)
        let pictures = [
            Self.stripes(blur: 12, seed: 1), Self.stripes(blur: 3, brightness: 90, seed: 2),
            Self.stripes(blur: 1, seed: 3), Self.stripes(blur: 5, seed: 4),
            Self.stripes(blur: 1, brightness: 150, seed: 5),
        ]
        var frames: [(id: String, score: Double)] = []
        for picture in pictures {
            frames.append((try await studio.add(picture), Self.score(picture)))
        }
        let all = frames.map(\.id)
        #expect(try studio.types(all).allSatisfy { $0 == [] })
        try await studio.library.performChanges {
            for id in all { try AssetChangeRequest(for: studio.asset(id)).burstIdentifier = "made" }
        }
        var left = frames.sorted { $0.score > $1.score }.map(\.id)
        func expectPick(of id: String) throws {
            let expected: [AssetBurstSelectionType] = left.map { $0 == id ? .autoPick : [] }
            #expect(try studio.types(left).map { $0.intersection(.autoPick) } == expected)
        }
        try expectPick(of: left[0])
        let chosen = left[1...2]
        try await studio.library.performChanges {
            for id in chosen {
                try AssetChangeRequest(for: studio.asset(id)).burstSelectionTypes.insert(.userPick)
            }
        }

        // Taken out, deleted, and moved to another burst.
        let removals: [@Sendable (Asset) throws -> Void] = [
            { try AssetChangeRequest(for: $0).burstIdentifier = nil },
            { try AssetChangeRequest.removeAssets([$0]) },
            { try AssetChangeRequest(for: $0).burstIdentifier = "other" },
        ]
        for (index, removal) in removals.enumerated() {
            let best = try studio.asset(left.removeFirst())
            let token = try studio.library.currentChangeToken
            // The other form of the call blocks its thread.
            if index == 0 {
                try studio.library.performChangesAndWait { try removal(best) }
            } else {
                try await studio.library.performChanges { try removal(best) }
            }
            try expectPick(of: left[0])
            let updated = try studio.library.fetchPersistentChanges(since: token).flatMap {
                $0.changeDetails(for: .asset).updatedLocalIdentifiers
            }
            #expect(updated.contains(left[0]))
            #expect(try studio.types(left).count { $0.contains(.userPick) } == max(0, 2 - index))
        }
        await studio.host.shutDown()
    }

    @Test("P-16 an observer is notified of the pick that follows a removal")
    func observed() async throws {
        let studio = try TestStudio()
        studio.host.attach(to: studio.library)
        var frames: [String] = []
        for blur in [1, 4, 8] { frames.append(try await studio.add(Self.stripes(blur: blur))) }
        let all = frames
        try await studio.library.performChanges {
            for id in all { try AssetChangeRequest(for: studio.asset(id)).burstIdentifier = "made" }
        }
        #expect(try studio.types(frames) == [.autoPick, [], []])
        let changes = try studio.library.changes()
        let best = try studio.asset(frames[0])
        let deletion = try await studio.library.performChanges {
            try AssetChangeRequest.removeAssets([best])
        }
        let pick = try studio.library.currentChangeToken
        #expect(pick > deletion)
        for await change in changes where change.token == pick {
            let details = change.persistentChange.changeDetails(for: .asset)
            #expect(details.updatedLocalIdentifiers == [frames[1]])
            break
        }
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
