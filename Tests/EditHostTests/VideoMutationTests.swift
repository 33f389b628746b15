// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import Synchronization
import TestSupport
import Testing

/// Mutated videos are rejected, fail with an error or are edited; host, runners and library remain usable.
private enum VideoMutations {
    /// Boxes of a video's index, which contains most of what can be invalid.
    private static let names = [
        "moov", "trak", "mdhd", "stsd", "stts", "ctts", "stsz", "stco", "elst",
    ]

    private static func mutated(_ data: Data, _ random: inout SeededGenerator) -> Data {
        var data = data
        if Int.random(in: 0..<10, using: &random) == 0 {
            return data.prefix(Int.random(in: 1..<data.count, using: &random))
        }
        let name = names.randomElement(using: &random) ?? "moov"
        var places: [Int] = []
        var rest = data.startIndex..<data.endIndex
        while let found = data.range(of: Data(name.utf8), in: rest) {
            places.append(found.lowerBound)
            rest = found.upperBound..<data.endIndex
        }
        let start = places.randomElement(using: &random) ?? 0
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = min(
                data.count - 1, max(0, start - 4 + Int.random(in: 0..<160, using: &random)))
            data[place] =
                [0, 0xff, 0x7f, 0x80, UInt8.random(in: 0...255, using: &random)]
                .randomElement(using: &random) ?? 0
        }
        return data
    }

    static func run(_ count: Int) async throws {
        var random = SeededGenerator(seed: TestSeed.seed())
        let studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
        var originals: [Data] = []
        for arguments in [
            ["a.mov"], ["b.mp4", "-bf", "3"], ["c.mov", "-c:v", "prores_ks", "-c:a", "pcm_s16le"],
            ["d.mp4", "-movflags", "frag_keyframe+empty_moov"],
        ] {
            let path = studio.folder.file(arguments[0])
            try TestVideo.make(path, size: "64x48", seconds: 1, Array(arguments.dropFirst()))
            originals.append(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        var counts = (rejected: 0, failed: 0, edited: 0)
        for number in 0..<count {
            let original = originals[number % originals.count]
            // The first copy of each video is not mutated.
            let bytes = number < originals.count ? original : Self.mutated(original, &random)
            let path = try studio.folder.write(bytes, to: "m\(number).mov")
            defer { try? FileManager.default.removeItem(atPath: path) }
            let results = Mutex<[ImportResult]>([])
            try await studio.host.importPhotos(at: [path], into: studio.library) { result in
                results.withLock { $0.append(result) }
            }
            guard let result = results.withLock({ $0.first }), result.status == .imported,
                let video = result.assetIdentifier
            else {
                counts.rejected += 1
                continue
            }
            do {
                try await studio.edit(video, "sepia")
                counts.edited += 1
            } catch let error as HostError {
                #expect(!error.message.isEmpty)
                #expect(try studio.library.history(ofAsset: video).chain.isEmpty)
                counts.failed += 1
            }
        }
        print(
            "videos: \(counts.rejected) rejected, \(counts.failed) failed, \(counts.edited) edited")
        #expect(counts.edited >= originals.count)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        // A mutation may have changed nothing, but this file is a new one in any case.
        let last = originals[0] + Data([0, 0, 0, 8]) + Data("free".utf8)
        let whole = try await studio.add(last, named: "whole.mov")
        #expect(try await studio.edit(whole, "sepia").status == .committed)
        await studio.host.shutDown()
    }
}

@Suite("mutated videos")
struct VideoMutationTests {
    @Test("forty mutated videos are rejected, fail or are edited without damage")
    func some() async throws { try await VideoMutations.run(40) }
}

@Suite("mutated videos, exhaustive", .torture)
struct VideoMutationTorture {
    @Test("two thousand mutated videos are rejected, fail or are edited without damage")
    func many() async throws { try await VideoMutations.run(2000) }
}
