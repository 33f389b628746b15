// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// The main job with the shipped extensions.
@Suite("main job")
struct MainJobTests {
    private func studio() throws -> TestStudio {
        try TestStudio {
            try TestExtension.assemble("SepiaFilter", in: $0)
            try TestExtension.assemble("CropRotate", in: $0)
        }
    }

    /// A picture that JPEG does not reproduce exactly.
    private let picture = TestPicture.gradient(width: 160, height: 96)

    @Test("A-07 sepia 0.5 reopened at 0.2 is exactly sepia 0.2 applied once")
    func reopenedSepia() async throws {
        let studio = try studio()
        let files = [
            (try picture.encoded("jpeg", options: ["Q": 85]), "a.jpg"),
            (try picture.encoded("png"), "a.png"),
        ]
        for (data, name) in files {
            let twice = try await studio.add(data, named: name)
            try await studio.edit(twice, "sepia", ["intensity": "0.5"])
            let half = try studio.currentBytes(twice)
            try await studio.edit(twice, "sepia", ["intensity": "0.2"])
            let reopened = try studio.currentBytes(twice)

            let other = try self.studio()
            let once = try await other.add(data, named: name)
            try await other.edit(once, "sepia", ["intensity": "0.2"])
            #expect(try other.currentBytes(once) == reopened)
            #expect(half != reopened)
            await other.host.shutDown()
        }
        await studio.host.shutDown()
    }

    @Test("P-03 P-04 a quarter turn swaps width and height of the asset")
    func turned() async throws {
        let studio = try studio()
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "croprotate", ["turns": "1"])
        let turned = try studio.library.asset(withLocalIdentifier: asset)
        #expect(turned.pixelWidth == 96)
        #expect(turned.pixelHeight == 160)
        let current = try studio.current(asset)
        for (x, y) in [(0, 0), (95, 0), (17, 101), (0, 159)] {
            for band in 0..<3 {
                // Clockwise: the left end of row r is now the top of column H - 1 - r.
                let source = picture.samples[((95 - x) * 160 + y) * 3 + band]
                #expect(current.samples[(y * 96 + x) * 3 + band] == source)
            }
        }
        await studio.host.shutDown()
    }

    @Test("M-08 after sepia and a crop, a JPEG is re-rendered byte for byte")
    func renderedAgain() async throws {
        let studio = try studio()
        let asset = try await studio.add(picture.encoded("jpeg"), named: "a.jpg")
        try await studio.edit(asset, "sepia", ["intensity": "0.7"])
        try await studio.edit(
            asset, "croprotate", ["angle": "5", "crop": "0.1,0.1,0.8,0.8", "flip": "vertical"])
        let before = try studio.currentBytes(asset)
        let status = Mutex<[RerenderResult.Status]>([])
        let other = try studio.otherHost()
        try await other.rerender([asset], in: studio.library, force: true, jobs: 1) { result in
            status.withLock { $0.append(result.status) }
        }
        #expect(status.withLock { $0 } == [.rendered])
        #expect(try studio.currentBytes(asset) == before)
        await other.shutDown()
        await studio.host.shutDown()
    }

    @Test("M-04 five edits of a JPEG differ from those of a lossless copy by one encoding")
    func oneGeneration() async throws {
        let studio = try studio()
        let jpeg = try picture.encoded("jpeg", options: ["Q": 80])
        let lossless = try TestPicture(decoding: jpeg)
        let assets = [
            try await studio.add(jpeg, named: "a.jpg"),
            try await studio.add(lossless.encoded("png"), named: "a.png"),
        ]
        for asset in assets {
            try await studio.edit(asset, "sepia", ["intensity": "0.4"])
            try await studio.edit(asset, "croprotate", ["crop": "0,0,0.9,1"])
            try await studio.edit(asset, "sepia", ["intensity": "0.3"])
            try await studio.edit(asset, "croprotate", ["flip": "horizontal"])
            try await studio.edit(asset, "sepia", ["intensity": "0.2"])
            #expect(try studio.library.history(ofAsset: asset).chain.count == 5)
        }
        let exact = try studio.current(assets[1])
        // One encoding with the settings of renditions: quality 92, the source's 4:2:0 chroma.
        let once = try TestPicture(
            decoding: exact.encoded("jpeg", options: ["Q": 92, "subsample_mode": "on"]))
        let current = try studio.current(assets[0])
        #expect(current == once)
        #expect(current.largestDifference(from: exact) != 0)
        await studio.host.shutDown()
    }

    @Test(
        "the same recipe gives the same upright picture for every orientation",
        .corpus)
    func orientations() async throws {
        let corpus = try #require(BuildProducts.corpus)
        let studio = try studio()
        var pictures: [TestPicture] = []
        for name in ["landscape_2.jpg", "landscape_6.jpg"] {
            let path = "\(corpus)/photos/orientation/\(name)"
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            let asset = try await studio.add(data, named: name)
            try await studio.edit(asset, "sepia", ["intensity": "0.5"])
            try await studio.edit(asset, "croprotate", ["crop": "0,0,0.5,1"])
            pictures.append(try studio.current(asset))
            #expect(try studio.orientation(of: asset) == 1)
        }
        #expect(pictures[0].width == 300)
        #expect(pictures[0].height == 450)
        // According to their publisher, the files agree within 1.4 of 255, except for the digits.
        let difference = try #require(pictures[0].meanDifference(from: pictures[1]))
        #expect(difference < 3)
        #expect(try #require(pictures[0].meanDifference(from: pictures[1].mirrored)) > 10)
        await studio.host.shutDown()
    }
}
