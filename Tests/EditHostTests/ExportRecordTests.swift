// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import RunnerHost
import TestSupport
import Testing

@testable import EditHost

/// A record of unknown origin proves only what exports of this library wrote.
@Suite("export records")
struct ExportRecordTests {
    private static let seal = RecordSeal(library: "mine", secret: Data(repeating: 7, count: 32))

    private static func entry(
        _ asset: String, _ names: String..., library: String = "mine"
    ) throws -> ExportRecord.Entry {
        let hash = try #require(SHA256Digest(hex: String(repeating: "a", count: 64)))
        return ExportRecord.Entry(
            subject: .init(library: library, asset: asset, variant: "current"),
            key: .init(content: "c", metadata: "m", settings: "s"), number: 0,
            files: names.map { .init(name: FileName($0), hash: hash, size: 1, modified: 2) },
            earlier: [], leaving: [])
    }

    private static func subject(_ asset: String) -> ExportRecord.Subject {
        .init(library: "mine", asset: asset, variant: "current")
    }

    /// The text of a record with these entries.
    private static func text(
        _ entries: [ExportRecord.Entry], seal: RecordSeal? = ExportRecordTests.seal
    ) throws -> String {
        var record = ExportRecord(seal: seal)
        var text = try record.newHeader()
        for entry in entries {
            let line = try record.line(entry)
            text += line
            record.append(entry, line.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func read(_ text: String, seal: RecordSeal? = ExportRecordTests.seal) throws
        -> ExportRecord
    {
        try ExportRecord(.memory("record", holding: Data(text.utf8)), seal: seal)
    }

    @Test("only a line that the library wrote for this folder is authenticated")
    func proof() throws {
        let text = try Self.text([try Self.entry("1", "a.jpg"), try Self.entry("2", "b.jpg")])
        let record = try Self.read(text)
        #expect(record.entries.count == 2 && record.entries.allSatisfy(\.isProven))
        let other = RecordSeal(library: "mine", secret: Data(repeating: 8, count: 32))
        #expect(try Self.read(text, seal: other).entries.allSatisfy { !$0.isProven })
        #expect(try Self.read(text, seal: nil).entries.allSatisfy { !$0.isProven })
        // A claimed file, another size, and a line with a missing or changed code.
        let code = try #require(text.firstMatch(of: /"mac":"[0-9a-f]{64}",/))
        for changed in [
            text.replacingOccurrences(of: "a.jpg", with: "mine.jpg"),
            text.replacingOccurrences(of: "\"size\":1", with: "\"size\":2"),
            text.replacingOccurrences(of: String(code.0), with: ""),
            text.replacingOccurrences(of: String(code.0), with: String(code.0).uppercased()),
        ] {
            let entry = try Self.read(changed).entry(of: Self.subject("1"))
            #expect(entry?.isProven == false, "\(changed)")
        }
        // A line of another folder's record.
        let foreign = try Self.text([try Self.entry("3", "mine.jpg")]).split(separator: "\n")[1]
        let joined = try Self.read(text + foreign + "\n")
        #expect(joined.entry(of: Self.subject("3"))?.isProven == false)
        #expect(joined.entry(of: Self.subject("1"))?.isProven == true)
    }

    @Test("an unauthenticated line does not displace an authenticated one or its names")
    func precedence() throws {
        let good = try Self.text([try Self.entry("1", "a.jpg")])
        let header = good.split(separator: "\n")[0]
        let forged = try Self.text(
            [
                try Self.entry("1", "mine.jpg"), try Self.entry("2", "a.jpg"), try Self.entry("1"),
            ], seal: nil
        ).split(separator: "\n").dropFirst().joined(separator: "\n")
        for text in [
            good + forged + "\n", "\(header)\n\(forged)\n" + good.split(separator: "\n")[1] + "\n",
        ] {
            let record = try Self.read(text)
            let entry = record.entry(of: Self.subject("1"))
            #expect(entry?.isProven == true && entry?.files.map(\.name) == [FileName("a.jpg")])
            #expect(record.owns(Self.subject("1"), FileName("a.jpg")))
        }
    }

    @Test(
        "the time to number files of one name grows with their number only",
        .timeLimit(.minutes(1)))
    func numbers() async throws {
        let parent = try TemporaryFolder()
        var options = ExportOptions()
        options.isDryRun = true
        var folder = try await ExportFolder(parent.file("out"), options, seal: Self.seal)
        let file = NewFile.Named(
            source: OutgoingFile(try .memory("photo", holding: Data())),
            name: NumberedFilename(SafeFilename("photo.jpg")))
        var paths: [String] = []
        for number in 0..<10_000 {
            paths += try folder.write(
                [file], of: Self.subject("\(number)"),
                .init(content: "c", metadata: "m", settings: "s"), prunes: false
            ).paths
        }
        #expect(paths.first == parent.file("out/photo.jpg"))
        #expect(paths.last == parent.file("out/photo-9999.jpg"))
        #expect(Set(paths).count == 10_000)
    }

    @Test("names that differ in Unicode normalisation have separate owners")
    func normalisation() throws {
        let record = try Self.read(
            try Self.text([
                try Self.entry("1", "\u{E9}.jpg"), try Self.entry("2", "e\u{301}.jpg"),
                try Self.entry("3", "\u{C5}", "\u{212B}"),
            ]))
        #expect(record.entries.count == 3)
        #expect(record.owns(Self.subject("1"), FileName("\u{E9}.jpg")))
        #expect(!record.owns(Self.subject("1"), FileName("e\u{301}.jpg")))
        #expect(record.owns(Self.subject("2"), FileName("e\u{301}.jpg")))
    }

    @Test("lines over the limits of length, values or depth are rejected as damage")
    func limits() throws {
        let header = try Self.text([])
        let long = "{\"x\":\"" + String(repeating: "x", count: 1 << 20) + "\"}\n"
        let wide = "{\"x\":[" + String(repeating: "0,", count: 100_000) + "0]}\n"
        let deep = String(repeating: "[", count: 200) + "\n"
        for line in [long, wide, deep, "{}\n", "1\n"] {
            let error = #expect(throws: HostError.self) { try Self.read(header + line) }
            #expect(error?.code == .badInput && error?.message.contains("line 2") == true)
        }
        #expect(throws: HostError.self) { try Self.read(long) }
        // The incomplete line of a killed export is ignored, but must not exceed the limit of a
        // line.
        #expect(try Self.read(header + "{\"x").length == header.utf8.count)
        #expect(throws: HostError.self) { try Self.read(header + long.dropLast()) }
    }

    @Test("a compacted record keeps the last lines verbatim, including those of other libraries")
    func shortened() throws {
        let theirs = RecordSeal(library: "theirs", secret: Data(repeating: 9, count: 32))
        let mine = try Self.text([
            try Self.entry("1", "a.jpg"), try Self.entry("1", "b.jpg"),
            try Self.entry("2", "c.jpg"),
            try Self.entry("2"),
        ])
        var record = try Self.read(mine, seal: theirs)
        let line = try record.line(try Self.entry("9", "d.jpg", library: "theirs"))
        record.append(try Self.entry("9", "d.jpg", library: "theirs"), line.count)
        let file = try OpenFile.memory("record", holding: Data(mine.utf8) + line)
        let (short, copy) = try record.shortened(file)
        let bytes = try copy.read(count: 1 << 20)
        #expect(short.length == bytes.count)
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = mine.split(separator: "\n")
        #expect(text == "\(lines[0])\n\(lines[2])\n" + String(decoding: line, as: UTF8.self))
        #expect(try Self.read(text).entry(of: Self.subject("1"))?.isProven == true)
    }

    @Test(
        "a version 1 record authenticates nothing; compacting removes its first line"
    )
    func firstVersion() throws {
        let lines = try Self.text([try Self.entry("1", "a.jpg")], seal: nil)
            .split(separator: "\n")
        let old = "{\"export\":1}\n\(lines[1])\n"
        let record = try Self.read(old)
        #expect(record.folderName == nil)
        #expect(record.entry(of: Self.subject("1"))?.isProven == false)
        let (new, copy) = try record.shortened(.memory("record", holding: Data(old.utf8)))
        #expect(new.folderName != nil)
        let again = try ExportRecord(copy, seal: Self.seal)
        #expect(again.folderName == new.folderName && again.entries.count == 1)
        #expect(throws: HostError.self) { try Self.read("{\"export\":2}\n") }
        #expect(throws: HostError.self) { try Self.read("{\"export\":3,\"folder\":\"a\"}\n") }
    }

    @Test(
        "100,000 damaged records are read or rejected, and none is falsely authenticated",
        .torture)
    func fuzzTorture() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let entries = [
            try Self.entry("1", "a.jpg"), try Self.entry("2", "s/b.jpg", "s/b.xmp"),
            try Self.entry("3", "\u{E9}", library: "theirs"), try Self.entry("2"),
            try Self.entry("4", "../x"),
        ]
        let texts = try (1...entries.count).map {
            Data(try Self.text(Array(entries.shuffled(using: &random).prefix($0))).utf8)
        }
        let written = Set(texts.flatMap { $0.split(separator: 0x0A).map { Data($0) } })
        var read = 0
        for round in 0..<100_000 {
            let text = Fuzz.pick(texts, using: &random)
            let changed =
                switch round % 4 {
                case 0: Fuzz.bytes(Int.random(in: 0...200, using: &random), using: &random)
                case 1: Fuzz.mutatedJSON(text, using: &random)
                default: Fuzz.mutated(text, using: &random)
                }
            guard
                let record = try? ExportRecord(
                    .memory("record", holding: changed), seal: Self.seal)
            else { continue }
            read += 1
            #expect(record.length <= changed.count)
            for entry in record.entries {
                for file in entry.files + entry.leaving {
                    let parts = file.name.text.split(
                        separator: "/", omittingEmptySubsequences: false)
                    #expect(!parts.contains("..") && !parts.contains(""), "seed \(seed)")
                }
                guard entry.isProven else { continue }
                let lines = changed.split(separator: 0x0A).map { Data($0) }
                #expect(lines.contains(where: written.contains), "seed \(seed)")
            }
        }
        #expect(read > 1000, "\(read), seed \(seed)")
    }

    @Test("100,000 name templates are rejected or stay inside the folder", .torture)
    func templatesTorture() throws {
        let seed = TestSeed.seed()
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "{name}", "{date}", "{date:%Y/%m}", "{date:", "%", "{version}", "{id}", "{sequence}",
            "{folder}/", "{folder}",
            "{", "}",
            "{{", "}}", "/", ".", "..", "\u{301}", "\0", "\n", "\u{202E}", "\u{10FEC3}",
            "\u{10FEA9}", "a",
            String(repeating: "x", count: 300),
        ]
        let values = pieces.map { text in
            ExportNameTemplate.Values(
                name: text, folder: "\(text)/\(text)", date: nil, version: "../\(text)",
                identifier: "/\(text)")
        }
        var accepted = 0
        for _ in 0..<100_000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                Fuzz.pick(pieces, using: &random)
            }.joined()
            guard let template = try? ExportNameTemplate(text) else { continue }
            accepted += 1
            let (folders, stem) = template.components(Fuzz.pick(values, using: &random))
            let name = NumberedFilename(SafeFilename(stem: stem, ending: "jpg"), in: folders)
            let parts = FileName(name.text(number: 3, limit: 255)).text.pathComponents
            let depth = ExportNameTemplate.maximumDepth + ExportNameTemplate.maximumFolderDepth
            #expect(parts.count <= depth, "\(text), seed \(seed)")
            for part in parts {
                let isPlain =
                    !part.isEmpty && part.utf8.first != UInt8(ascii: ".")
                    && part.pathBytes.count <= 255
                    && !part.pathBytes.contains { $0 < 0x20 || $0 == 0x2F }
                    && !FileName(part).text.unicodeScalars.contains("\u{202E}")
                #expect(isPlain, "\(text), seed \(seed)")
            }
        }
        #expect(accepted > 1000, "\(accepted), seed \(seed)")
    }
}
