// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageMetadata
import TestSupport
import Testing

/// Timed metadata of a movie that was trimmed to a part.
@Suite("copying timed metadata to trimmed movies")
struct TimedMetadataPartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A movie of the part, which keeps none of the original's times.
    private func part(
        of original: MovieFile, _ start: RationalTime, _ duration: RationalTime, _ name: String
    ) throws -> (MovieFile, MoviePart) {
        let rendered = try original.remade(
            folder.file(name), timescale: 600,
            [
                "-filter:a", "anull", "-c:a", "aac", "-an", "-ss", "\(start.seconds)", "-t",
                "\(duration.seconds)",
            ])
        return (rendered, MoviePart(start: start, duration: duration))
    }

    @Test("times count from the start of the trim", .corpus)
    func shifted() throws {
        for (index, (name, units)) in LiveVideos.all.enumerated() {
            let original = try LiveVideos.file(name)
            let (rendered, part) = try part(
                of: original, RationalTime(1, over: 2), RationalTime(5, over: 4), "\(index).mov")
            let packets = try rendered.packets()
            let copier = try TimedMetadataCopier.copy(
                from: original.openForReading(), into: rendered.open(), keeping: part)
            let tracks = try original.movie().timedMetadataTracks.count
            #expect(copier.trackCount == tracks && copier.warnings == [], "\(name)")
            let time = try #require(try rendered.stillImageTime())
            #expect(time == (try RationalTime(Int64(units) - 300, over: 600)), "\(name)")
            #expect(try rendered.packets() == packets && rendered.complaints() == "", "\(name)")
            // No track is longer than the part.
            let lengths = try rendered.tags("-G1", "-TrackDuration")
            for track in try rendered.movie().timedMetadataTracks {
                let length = Double(lengths["Track\(track.identifier):TrackDuration"] ?? "")
                #expect(length.map { $0 <= 1.2501 } ?? false, "\(name): \(lengths)")
            }
            let starts = try rendered.starts()
            #expect(abs((starts.last ?? 0) - time.seconds) < 0.000001, "\(name): \(starts)")
            #expect(starts.dropLast().allSatisfy { abs($0) < 0.07 }, "\(name): \(starts)")
        }
    }

    @Test("a still outside the trim is dropped with a warning; other tracks stay", .corpus)
    func outside() throws {
        for (index, (name, units)) in LiveVideos.all.enumerated() {
            let original = try LiveVideos.file(name)
            let tracks = try original.movie().timedMetadataTracks.count
            let still = try RationalTime(Int64(units), over: 600)
            // The part ends just before the still, begins just after it, or has it at either end.
            for (number, (start, length, isKept)) in [
                (0, units, false), (0, units + 1, true), (units, 100, true),
                (units + 1, 100, false),
            ].enumerated() {
                let (rendered, part) = try part(
                    of: original, RationalTime(Int64(start), over: 600),
                    RationalTime(Int64(length), over: 600), "\(index)-\(number).mov")
                let copier = try TimedMetadataCopier.copy(
                    from: original.openForReading(), into: rendered.open(), keeping: part)
                #expect(copier.trackCount == tracks - (isKept ? 0 : 1), "\(name) \(number)")
                #expect(copier.warnings.count == (isKept ? 0 : 1), "\(name) \(number)")
                let expected = try RationalTime(still.value - Int64(start), over: 600)
                #expect(try rendered.stillImageTime() == (isKept ? expected : nil), "\(name)")
                #expect(try rendered.complaints() == "", "\(name) \(number)")
            }
        }
    }

    @Test("a trim outside the movie or of no length copies nothing, and the movie stays valid")
    func odd() throws {
        let original = try MovieFile.pattern(folder.file("a.mov"))
        try Movie.addStillImageTime(RationalTime(1, over: 1), to: original.open())
        for (index, (start, length)) in [
            (-5, 2), (50, 1), (1, 0), (0, -1), (1 << 55, 1 << 55), (-(1 << 55), 1 << 55),
        ].enumerated() {
            let rendered = try original.remade(folder.file("\(index).mov"))
            let packets = try rendered.packets()
            let part = MoviePart(
                start: try RationalTime(Int64(start), over: 1),
                duration: try RationalTime(Int64(length), over: 1))
            let copier = try TimedMetadataCopier.copy(
                from: original.openForReading(), into: rendered.open(), keeping: part)
            #expect(copier.trackCount == 0 && copier.warnings.count == 1, "\(start) \(length)")
            #expect(try rendered.packets() == packets && rendered.complaints() == "")
        }
        // A trim that begins before the movie delays the still.
        let rendered = try original.remade(folder.file("early.mov"))
        let copier = try TimedMetadataCopier.copy(
            from: original.openForReading(), into: rendered.open(),
            keeping: MoviePart(
                start: try RationalTime(-1, over: 3), duration: try RationalTime(9, over: 1)))
        #expect(copier.trackCount == 1)
        #expect(try rendered.stillImageTime() == (try RationalTime(1333, over: 1000)))
    }

    @Test("times of a finer timescale are rounded to the nearest unit without drift")
    func fine() throws {
        let original = try MovieFile.pattern(folder.file("a.mov"), ["-movie_timescale", "90000"])
        try Movie.addStillImageTime(RationalTime(90001, over: 90000), to: original.open())
        #expect(try original.stillImageTime() == (try RationalTime(90001, over: 90000)))
        let rendered = try original.remade(folder.file("b.mov"), timescale: 1000)
        _ = try TimedMetadataCopier.copy(
            from: original.openForReading(), into: rendered.open(),
            keeping: MoviePart(
                start: try RationalTime(1, over: 3), duration: try RationalTime(7, over: 5)))
        // 1.000011 - 0.333333 s.
        #expect(try rendered.stillImageTime() == (try RationalTime(667, over: 1000)))
        #expect(try rendered.starts() == [0.667])
    }
}
