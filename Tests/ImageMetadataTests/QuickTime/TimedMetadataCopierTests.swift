// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageMetadata
import TestSupport
import Testing

/// Timed metadata of real Live Photos is copied to movies that FFmpeg made from them.
@Suite("copying timed metadata")
struct TimedMetadataCopierTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("the still image time follows the edit list, as in FFmpeg", .corpus)
    func stillImageTime() throws {
        for (name, units) in LiveVideos.all {
            let file = try LiveVideos.file(name)
            let time = try #require(try file.stillImageTime())
            #expect(time == (try RationalTime(Int64(units), over: 600)), "\(name)")
            #expect(abs(time.seconds - (try file.starts().last ?? 0)) < 0.000001, "\(name)")
            // ExifTool prints the duration of the track, which is one unit longer.
            let lengths = try file.tags("-G1", "-TrackDuration").values.compactMap { Double($0) }
            #expect(lengths.contains { abs($0 - time.seconds - 1 / 600) < 0.00001 }, "\(name)")
        }
    }

    @Test(
        "all samples, times and values match the original; video and sound are untouched",
        .corpus, arguments: zip([600, 1000, 90000, 88200], [false, true, false, true]))
    func whole(timescale: Int, isInFront: Bool) throws {
        for (index, (name, units)) in LiveVideos.all.enumerated() {
            let original = try LiveVideos.file(name)
            let rendered = try original.remade(
                folder.file("\(index).mov"), timescale: timescale, movieInFront: isInFront)
            let packets = try rendered.packets()
            let before = try duration(of: rendered)
            let copier = try TimedMetadataCopier.copy(
                from: original.openForReading(), into: rendered.open())
            let tracks = try original.movie().timedMetadataTracks.count
            #expect(copier.trackCount == tracks && copier.warnings == [], "\(name)")
            #expect(try rendered.packets() == packets, "\(name)")
            #expect(!packets.isEmpty)
            #expect(try rendered.complaints() == "", "\(name)")
            // FFmpeg has shortened the last frame of one of the movies.
            let expected = max(before, try original.movie().seconds)
            #expect(abs(try duration(of: rendered) - expected) <= 0.5 / 600, "\(name)")

            let samples = try original.sampleTags()
            #expect(try rendered.sampleTags() == samples, "\(name)")
            #expect(samples.keys.contains { $0.hasSuffix(":StillImageTime") })
            let half = 0.5 / Double(timescale) + 0.000001
            for (new, old) in zip(try rendered.starts(), try original.starts()) {
                #expect(abs(new - old) <= half, "\(name): \(new) \(old)")
            }
            #expect(try rendered.starts().count == tracks)
            let time = try #require(try rendered.stillImageTime())
            #expect(abs(time.seconds - Double(units) / 600) <= half, "\(name): \(time)")

            try expectMetadata(of: original, in: rendered, name)
        }
    }

    private func duration(of file: MovieFile) throws -> Double {
        try #require(Double(file.tags("-QuickTime:Duration")["Duration"] ?? ""))
    }

    /// Expects the movie's values with their original types, and the track's values restored.
    private func expectMetadata(
        of original: MovieFile, in rendered: MovieFile, _ name: String
    ) throws {
        let (old, new) = (try original.movie().metadata(), try rendered.movie().metadata())
        for (key, value) in old { #expect(new[key] == value, "\(name): \(key)") }
        #expect(new[.contentIdentifier]?.text?.count == 36)
        let tags = try rendered.tags("-G1")
        for (key, value) in try original.tags("-G1") where key.hasPrefix("Keys:") {
            #expect(tags[key] == value, "\(name): \(key)")
        }
        let lenses = try original.tags("-CameraLensModel*").filter { $0.key != "SourceFile" }
        let found = try rendered.tags("-CameraLensModel*").filter { $0.key != "SourceFile" }
        #expect(lenses == found, "\(name)")
        let references = try rendered.movie().timedMetadataTracks.count
        if name.hasPrefix("cameras") {
            let described = try rendered.tags("-G1", "-ContentDescribes").filter {
                $0.key.hasSuffix("ContentDescribes")
            }
            #expect(described.count == references, "\(name): \(described)")
            #expect(Set(described.values) == ["1"], "\(name)")
        }
    }

    @Test("the same movies give the same bytes, and a second copy builds on the first", .corpus)
    func deterministic() throws {
        for (index, (name, _)) in LiveVideos.all.enumerated() {
            let original = try LiveVideos.file(name)
            let one = try original.remade(folder.file("\(index).mov"), timescale: 600)
            let other = try one.copy(to: folder.file("\(index)b.mov"))
            for file in [one, other] {
                _ = try TimedMetadataCopier.copy(
                    from: original.openForReading(), into: file.open())
            }
            #expect(try one.data == other.data, "\(name)")
            // The rendered movie is the original of the next edit.
            let next = try one.remade(folder.file("\(index)c.mov"), timescale: 600)
            _ = try TimedMetadataCopier.copy(from: one.openForReading(), into: next.open())
            #expect(try next.sampleTags() == original.sampleTags(), "\(name)")
            #expect(try next.stillImageTime() == original.stillImageTime(), "\(name)")
        }
    }

    @Test("a movie without timed metadata leaves the other unchanged")
    func nothing() throws {
        let original = try MovieFile.pattern(folder.file("a.mov"))
        let rendered = try original.remade(folder.file("b.mov"))
        let before = try rendered.data
        let copier = try TimedMetadataCopier.copy(
            from: original.openForReading(), into: rendered.open())
        #expect(copier.trackCount == 0 && copier.warnings == [])
        #expect(try rendered.data == before)
    }

    @Test("offsets beyond 32 bits get a 64-bit table")
    func long() throws {
        let original = try MovieFile.pattern(
            folder.file("a.mov"), ["-movflags", "use_metadata_tags"])
        try Movie.addStillImageTime(RationalTime(1, over: 2), to: original.open())
        let rendered = try original.remade(folder.file("b.mov"), movieInFront: true)
        // A free box whose contents are not written.
        let length = 5 << 30
        let file = try rendered.open()
        let end = try #require(file.length)
        let header: [UInt8] =
            [0, 0, 0, 1] + Array("free".utf8)
            + (0..<8).map { UInt8((length - end) >> (8 * (7 - $0)) & 0xFF) }
        try header.withUnsafeBytes { try file.write($0, at: end) }
        #expect(truncate(rendered.path, length) == 0)
        let packets = try rendered.packets()
        _ = try TimedMetadataCopier.copy(from: original.openForReading(), into: file)
        #expect(try rendered.stillImageTime() == (try RationalTime(500, over: 1000)))
        #expect(try rendered.packets() == packets)
        #expect(try rendered.sampleTags() == original.sampleTags())
        #expect(try rendered.starts() == [0.5])
    }
}

extension Movie {
    fileprivate var seconds: Double { Double(duration) / Double(timescale) }
}
