// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import ImageMetadata
import TestSupport
import Testing

/// Movies with mutated bytes.
@Suite("mutated movies")
struct MovieMutationTests {
    private let folder: TemporaryFolder
    private let interesting: [[UInt8]] = [
        [0], [0xFF], [0x7F], [0x80], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1],
        [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 8], [1, 0, 0, 0],
    ]
    private let names = [
        "trak", "tkhd", "elst", "tref", "mdhd", "hdlr", "stsd", "mebx", "keys", "keyd", "stts",
        "stsc", "stsz", "stco", "meta", "ilst", "data", "mvhd", "dref", "moov",
    ]

    init() throws { folder = try TemporaryFolder(isInMemory: true) }

    /// The offsets of boxes, or of bytes that look like boxes.
    private func places(in moov: [UInt8]) -> [Int] {
        let data = Data(moov)
        return names.flatMap { name in
            var (found, rest) = ([Int](), data.startIndex..<data.endIndex)
            while let range = data.range(of: Data(name.utf8), in: rest) {
                found.append(range.lowerBound - 4)
                rest = range.upperBound..<data.endIndex
            }
            return found
        }
    }

    /// A movie box with one to six changes, most of them near the starts of boxes.
    private func mutated(
        _ moov: [UInt8], _ places: [Int], _ random: inout SeededGenerator
    ) -> [UInt8] {
        var result = moov
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            var place = Int.random(in: 0..<result.count, using: &random)
            if Int.random(in: 0..<5, using: &random) > 0 {
                place =
                    Fuzz.pick(places, using: &random) + Int.random(in: 0..<32, using: &random)
            }
            var bytes = Fuzz.pick(interesting, using: &random)
            if Bool.random(using: &random) { bytes = [UInt8.random(in: 0...255, using: &random)] }
            if Int.random(in: 0..<8, using: &random) == 0 {
                bytes = Array(Fuzz.pick(names, using: &random).utf8)
            }
            for (index, byte) in bytes.enumerated() where result.indices.contains(place + index) {
                result[place + index] = byte
            }
        }
        return result
    }

    private func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws {
        try bytes.withUnsafeBytes { try file.write($0, at: offset) }
    }

    /// A movie with a still image time and metadata.
    private func made() throws -> MovieFile {
        let made = try MovieFile.pattern(
            folder.file("made.mov"), ["-movflags", "use_metadata_tags", "-metadata", "com.a=b"])
        try Movie.addStillImageTime(RationalTime(1, over: 1), to: made.open())
        try Movie.setMetadata([.contentIdentifier: MetadataValue("A")], in: made.open())
        return made
    }

    @Test("three thousand mutations of each movie give an error, a warning, or a valid movie")
    func mutations() throws {
        let made = try made()
        try expectNoHarm(to: [made], rendering: made)
    }

    @Test("so do three thousand mutations of each real movie", .corpus)
    func realMovies() throws {
        var originals: [MovieFile] = []
        for (index, (name, _)) in LiveVideos.all.enumerated() {
            let file = try LiveVideos.file(name)
            originals.append(MovieFile(path: try folder.write(file.data, to: "\(index).mov")))
        }
        #expect(!originals.isEmpty)
        try expectNoHarm(to: originals, rendering: made())
    }

    /// Mutates each original, and copies its timed metadata to a movie rendered from `made`.
    private func expectNoHarm(to originals: [MovieFile], rendering made: MovieFile) throws {
        var random = SeededGenerator(seed: TestSeed.seed())
        let rendered = try made.remade(folder.file("rendered.mov"))
        let target = try rendered.copy(to: folder.file("target.mov"))
        let whole = Array(try rendered.data)
        let (into, clock) = (try target.open(), ContinuousClock())
        let part = MoviePart(
            start: try RationalTime(1, over: 3), duration: try RationalTime(1, over: 1))
        var counts = (failed: 0, warned: 0, copied: 0)
        for original in originals {
            let file = try original.open()
            let (data, length) = (try original.data, try #require(file.length))
            // The movie box is at the end of all originals.
            let start =
                try #require(data.range(of: Data("moov".utf8), options: .backwards)).lowerBound - 4
            let moov = Array(data[start...])
            let places = places(in: moov)
            for number in 0..<3000 {
                try write(mutated(moov, places, &random), to: file, at: start)
                try write(whole, to: into, at: 0)
                #expect(ftruncate(into.descriptor, whole.count) == 0)
                let began = clock.now
                do throws(MovieError) {
                    let copier = try TimedMetadataCopier.copy(
                        from: file, into: into, keeping: number % 2 == 0 ? nil : part)
                    if copier.warnings.isEmpty { counts.copied += 1 } else { counts.warned += 1 }
                } catch {
                    counts.failed += 1
                    #expect(!error.message.isEmpty)
                    #expect(into.length == whole.count)
                }
                #expect(clock.now - began < .seconds(5), "\(number) seed \(TestSeed.seed())")
                let movie = try Movie(reading: into)
                #expect(movie.tracks.count >= 2 && movie.tracks.first?.handler == "vide")
                for track in movie.timedMetadataTracks where number % 10 == 0 {
                    #expect(track.identifier > 2)
                }
                _ = try movie.stillImageTime(in: into)
            }
            try write(moov, to: file, at: start)
            #expect(file.length == length)
            let copier = try TimedMetadataCopier.copy(from: file, into: into)
            #expect(copier.warnings == [] && copier.trackCount > 0)
        }
        print("movies: \(counts.failed) failed, \(counts.warned) warned, \(counts.copied) copied")
        #expect(counts.failed > 0 && counts.warned > 0 && counts.copied > 0)
    }

    @Test("two thousand mutations of the target movie are harmless")
    func targets() throws {
        var random = SeededGenerator(seed: TestSeed.seed())
        let original = try MovieFile.pattern(folder.file("a.mov"))
        try Movie.addStillImageTime(RationalTime(1, over: 1), to: original.open())
        let rendered = try original.remade(
            folder.file("b.mov"), movieInFront: true, ["-metadata", "com.a=b"])
        let (from, into) = (try original.openForReading(), try rendered.open())
        let data = try rendered.data
        let found = try #require(data.range(of: Data("mdat".utf8)))
        let (moov, rest) = (Array(data[..<found.lowerBound]), Array(data[found.lowerBound...]))
        let places = places(in: moov)
        for _ in 0..<2000 {
            let bytes = mutated(moov, places, &random) + rest
            try write(bytes, to: into, at: 0)
            #expect(ftruncate(into.descriptor, bytes.count) == 0)
            do throws(MovieError) {
                _ = try TimedMetadataCopier.copy(from: from, into: into)
                _ = try Movie(reading: into)
                try Movie.setMetadata([.contentIdentifier: MetadataValue("B")], in: into)
                let values = try Movie(reading: into).metadata()
                #expect(values[.contentIdentifier]?.text == "B")
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }
}
