// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageMetadata
import TestSupport
import Testing

/// Movies with invalid boxes and tables.
@Suite("damaged movies")
struct DamagedMovieTests {
    private let folder: TemporaryFolder
    private let original: MovieFile
    private let rendered: MovieFile

    init() throws {
        folder = try TemporaryFolder()
        original = try MovieFile.pattern(folder.file("original.mov"))
        try Movie.addStillImageTime(RationalTime(1, over: 1), to: original.open())
        rendered = try original.remade(folder.file("rendered.mov"))
    }

    /// The result of copying from damaged bytes: its error, or its only warning and the movie.
    private func copying(_ data: Data, _ name: String) throws -> (MovieError?, String, Data) {
        let damaged = MovieFile(path: try folder.write(data, to: "damaged.mov"))
        let target = try rendered.copy(to: folder.file("target.mov"))
        defer { try? FileManager.default.removeItem(atPath: target.path) }
        let (from, into) = (try damaged.openForReading(), try target.open())
        do throws(MovieError) {
            let copier = try TimedMetadataCopier.copy(from: from, into: into)
            #expect(copier.trackCount == 0, "\(name)")
            #expect(copier.warnings.count == 1, "\(name): \(copier.warnings)")
            return (nil, copier.warnings.first ?? "", (try? target.data) ?? Data())
        } catch {
            #expect(try target.data == rendered.data, "\(name)")
            return (error, "", Data())
        }
    }

    /// The bytes of the original, replaced at an offset from the last occurrence of a box name.
    private func changed(_ name: String, _ offset: Int, _ bytes: [UInt8]) throws -> Data {
        var data = try original.data
        let found = try #require(data.range(of: Data(name.utf8), options: .backwards), "\(name)")
        let place = found.lowerBound + offset
        data.replaceSubrange(place..<place + bytes.count, with: bytes)
        return data
    }

    private static let most: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]

    @Test("a track with inconsistent tables is dropped with a warning")
    func tables() throws {
        let cases: [(String, Int, [UInt8], String)] = [
            // The size and number of all samples.
            ("stsz", 8, Self.most, "its samples are too large: 1 of 4294967295 bytes"),
            ("stsz", 8, [0x04, 0, 0, 1], "its samples are too large: 1 of 67108865 bytes"),
            ("stsz", 8, [0x03, 0, 0, 0], "its samples are outside the file"),
            ("stsz", 8, [0, 0, 0, 0], "the box stsz declares too many entries: 1"),
            ("stsz", 12, Self.most, "its samples are too large: 4294967295 of 9 bytes"),
            ("stsz", 12, [0, 0, 0, 2], "its number of samples is 2, but it has times for 1"),
            ("stsz", 12, [0, 0, 0, 0], "its number of samples is 0, but it has times for 1"),
            // The offsets and number of chunks.
            ("stco", 12, Self.most, "its samples are outside the file"),
            ("stco", 8, Self.most, "the box stco declares too many entries: 4294967295"),
            ("stco", 8, [0, 0, 0, 0], "its chunks have fewer samples than there are"),
            ("stco", 0, Array("free".utf8), "it has no table of chunks, or two"),
            ("stco", 0, Array("co64".utf8), "the box co64 declares too many entries: 1"),
            // Samples per chunk.
            ("stsc", 8, Self.most, "the box stsc declares too many entries: 4294967295"),
            ("stsc", 8, [0, 0, 0, 0], "its chunks have more samples than there are"),
            ("stsc", 12, [0, 0, 0, 2], "its table of samples in chunks is invalid"),
            ("stsc", 16, [0, 0, 0, 0], "its table of samples in chunks is invalid"),
            ("stsc", 16, Self.most, "its chunks have more samples than there are"),
            ("stsc", 20, [0, 0, 0, 0], "its table of samples in chunks is invalid"),
            ("stsc", 20, [0, 0, 0, 2], "its table of samples in chunks is invalid"),
            // Times.
            ("stts", 12, Self.most, "its number of samples is 1, but it has times for 4294967295"),
            ("stts", 8, Self.most, "the box stts declares too many entries: 4294967295"),
            ("stts", 0, Array("free".utf8), "the box stbl has no box stts"),
            ("elst", 8, Self.most, "the box elst declares too many entries: 4294967295"),
            ("elst", 28, [0x80, 0, 0, 0], "an edit of a track is invalid"),
            ("elst", 32, Self.most, "an edit of a track is invalid"),
            ("elst", 4, [2], "elst has version 2"),
            // Keys and data references.
            ("keyd", -4, [0, 0, 0, 7], "the box keyd has an invalid size"),
            ("keys", -4, Self.most, "the box keys has an invalid size"),
            ("alis", 4, [0, 0, 0, 0], "its samples are in another file"),
            ("dref", 8, [0, 0, 0, 2], "the box dref declares too many entries: 2"),
        ]
        var movies: Set<Data> = []
        for (box, offset, bytes, expected) in cases {
            let name = "\(box) \(offset) \(bytes)"
            let (error, warning, movie) = try copying(changed(box, offset, bytes), name)
            movies.insert(movie)
            #expect(error == nil, "\(name)")
            #expect(warning == "its track 3 of timed metadata is omitted: \(expected)", "\(name)")
        }
        // All results are the same movie, without the track.
        #expect(movies.count == 1)
        let movie = MovieFile(path: try folder.write(movies.first ?? Data(), to: "one.mov"))
        #expect(try movie.packets() == rendered.packets() && movie.complaints() == "")
    }

    @Test("impossible boxes are an error, and the rendered movie is unchanged")
    func boxes() throws {
        let cases: [(String, Int, [UInt8], MovieError.Code)] = [
            ("stbl", -4, [0, 0, 0, 0], .damaged), ("stbl", -4, [0, 0, 0, 1], .damaged),
            ("stbl", -4, [0, 0, 0, 7], .damaged), ("stbl", -4, Self.most, .damaged),
            ("minf", -4, [0, 0, 0, 8], .damaged), ("mdia", -4, [0, 0, 1, 0], .damaged),
            ("trak", -4, [0, 0, 0, 0], .damaged), ("trak", -4, [0, 0, 0, 9], .damaged),
            ("mvhd", -4, Self.most, .damaged), ("mvhd", 16, [0, 0, 0, 0], .damaged),
            ("mvhd", 4, [9], .unsupported), ("mvhd", 0, Array("cmov".utf8), .unsupported),
            ("mdhd", 16, [0, 0, 0, 0], .damaged), ("tkhd", 16, [0, 0, 0, 0], .damaged),
            ("tkhd", 16, [0, 0, 0, 1], .damaged), ("stsd", 8, Self.most, .damaged),
            // Boxes in boxes of their own type.
            ("mdia", 0, Array("trak".utf8), .damaged), ("stbl", 0, Array("minf".utf8), .damaged),
            ("tkhd", 0, Array("trak".utf8), .damaged), ("stsd", 0, Array("stbl".utf8), .damaged),
            ("moov", -4, Self.most, .damaged),
            ("moov", 0, Array("free".utf8), .notAMovie),
            ("mdat", 0, Array("moov".utf8), .damaged),
        ]
        for (box, offset, bytes, code) in cases {
            let name = "\(box) \(offset) \(bytes)"
            let (error, _, _) = try copying(changed(box, offset, bytes), name)
            #expect(error?.code == code, "\(name): \(error as Any)")
        }
    }

    @Test("damage is ignored in a movie without timed metadata")
    func unconcerned() throws {
        var data = try rendered.data
        let found = try #require(data.range(of: Data("trak".utf8)))
        data[found.lowerBound - 1] ^= 1
        let damaged = MovieFile(path: try folder.write(data, to: "damaged.mov"))
        #expect(throws: MovieError.self) { try damaged.movie() }
        let before = try original.data
        let copier = try TimedMetadataCopier.copy(
            from: damaged.openForReading(), into: original.open())
        #expect(try copier.trackCount == 0 && copier.warnings == [] && original.data == before)
    }

    @Test("a file that is not a movie or is truncated is an error")
    func others() throws {
        let data = try original.data
        for (name, bytes, code) in [
            ("nothing", Data(), MovieError.Code.notAMovie), ("little", Data([0, 0]), .notAMovie),
            ("zeros", Data(count: 4096), .notAMovie),
            ("text", Data("This is a text that is no movie.".utf8), .notAMovie),
            ("half", data.prefix(data.count / 2), .notAMovie),
            ("most", data.dropLast(9), .damaged), ("twice", data + data, .damaged),
            ("a large size", Data([0, 0, 0, 1] + Array("free".utf8)) + Data(count: 8), .notAMovie),
            (
                "the largest",
                Data([0, 0, 0, 1] + Array("free".utf8)) + Data(repeating: 255, count: 99),
                .notAMovie
            ),
        ] {
            let (error, _, _) = try copying(bytes, name)
            #expect(error?.code == code, "\(name): \(error as Any)")
        }
    }

    @Test("a moov over 64 MiB or with 100,000 boxes is too large")
    func large() throws {
        func box(_ name: String, _ content: Data) -> Data {
            let size = UInt32(content.count + 8)
            return Data((0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) })
                + Data(name.utf8) + content
        }
        let (error, _, _) = try copying(box("moov", Data(count: Movie.maximumLength)), "long")
        #expect(error?.code == .tooLarge)
        let many = (0..<100_000).reduce(into: Data()) { data, _ in data += box("free", Data()) }
        #expect(try copying(box("moov", many), "many").0?.code == .tooLarge)
        // Boxes nested through the whole file are not searched.
        var deep = Data("mebx".utf8)
        for _ in 0..<10_000 { deep = box("moov", deep) }
        #expect(try copying(deep, "deep").0?.code == .damaged)
    }

    @Test("a movie that cannot be appended to is an error and stays unchanged")
    func open() throws {
        let front = try original.remade(folder.file("front.mov"), movieInFront: true)
        var data = try front.data
        let found = try #require(data.range(of: Data("mdat".utf8)))
        data.replaceSubrange(found.lowerBound - 4..<found.lowerBound, with: [0, 0, 0, 0])
        for (name, bytes) in [
            ("open", data), ("cut", data.dropLast(5)), ("more", data + [1, 2, 3]),
        ] {
            let file = MovieFile(path: try folder.write(bytes, to: "\(name).mov"))
            let error = #expect(throws: MovieError.self) {
                try TimedMetadataCopier.copy(
                    from: original.openForReading(), into: file.open())
            }
            #expect(try error?.code == .unsupported && file.data == bytes, "\(name)")
        }
    }
}
