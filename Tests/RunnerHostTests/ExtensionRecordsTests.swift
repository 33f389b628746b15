// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Logging
import TestSupport
import Testing

@testable import RunnerHost

/// The file in which hosts record extensions by their digests.
@Suite("extension records")
struct ExtensionRecordsTests {
    private let folder: TemporaryFolder
    private let first = SHA256Digest(hex: String(repeating: "1a", count: 32))
    private let second = SHA256Digest(hex: String(repeating: "2b", count: 32))

    init() throws { folder = try TemporaryFolder() }

    private var records: ExtensionRecords { ExtensionRecords(folder: folder.path) }

    private func write(_ lines: [String], to name: String) throws {
        try folder.write(Data(lines.joined(separator: "\n").utf8), to: name)
    }

    private func lines() throws -> [String] {
        try String(contentsOfFile: folder.file("extensions.jsonl"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    @Test(
        "a name with a line break adds no second extension",
        arguments: [
            "\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\"}\n{\"",
            "\\n",
        ])
    func separators(separator: String) throws {
        let (first, second) = (try #require(first), try #require(second))
        let name =
            "com.example.one\(separator)"
            + #"{"digest":"\#(second.hex)","identifier":"com.example.two","kind":"trusted"}"#
        try records.add(.trusted, first, of: name)
        // This reads the entries and writes them back.
        try records.add(
            .trusted, try #require(SHA256Digest(hex: String(repeating: "3c", count: 32))),
            of: "com.example.three")
        let found = records
        #expect(found.contains(.trusted, first) && found.names(.trusted, name))
        #expect(!found.contains(.trusted, second) && !found.names(.trusted, "com.example.two"))
        #expect(records.content.records.count == 2)
        #expect(try found.remove(.trusted, of: name))
        #expect(records.content.records.count == 1)
    }

    @Test("lists of earlier versions are read as bytes and rewritten as objects")
    func earlier() throws {
        let (first, second) = (try #require(first), try #require(second))
        let list = [
            "\(first.hex)  com.example.one", "\(second.hex) *com.example.\u{301}two", "nonsense",
            "\(String(repeating: "4d", count: 32))  a\u{2028}\(String(repeating: "5e", count: 32))  b",
        ]
        try write(list, to: "trusted.sha256")
        let read = records.content.records
        for (digest, name) in [(first, "com.example.one"), (second, "com.example.\u{301}two")] {
            #expect(read.contains(.init(kind: .trusted, digest: digest, identifier: name)))
        }
        #expect(read.count == 3)
        #expect(try records.remove(.trusted, of: "com.example.one"))
        let objects = try lines().map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String]
        }
        #expect(objects.count == 2)
        #expect(
            objects[0] == [
                "digest": second.hex, "identifier": "com.example.\u{301}two", "kind": "trusted",
            ])
    }

    @Test(
        "the first change replaces all files of earlier versions, which have no effect from then on"
    )
    func migration() throws {
        let (first, second) = (try #require(first), try #require(second))
        let names = [
            "trusted.sha256", "original-readers.sha256", "reproducing.sha256",
            "not-reproducing.sha256",
        ]
        for name in names {
            try write([#"{"digest":"\#(first.hex)","identifier":"a.b"}"#], to: name)
        }
        let failures = """
            [{"identifier": "a.b", "digest": {"hex": "\(first.hex)"},
              "libraryHash": {"hex": "\(second.hex)"}, "library": "/a", "failures": 2,
              "reason": "crashed", "date": "2026-01-01T00:00:00Z"}]
            """
        try write([failures], to: "quarantine.json")
        let before = records.content
        let kinds: [ExtensionRecord.Kind] = [
            .trusted, .readsOriginals, .reproducing, .notReproducing,
        ]
        #expect(
            before.records
                == Set(kinds.map { .init(kind: $0, digest: first, identifier: "a.b") }))
        #expect(before.failures.values.map(\.failures) == [2])

        #expect(try records.remove(.trusted, of: "a.b"))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.sorted() == ["extensions.jsonl", "extensions.jsonl.lock"])
        #expect(!records.names(.trusted, "a.b") && records.names(.readsOriginals, "a.b"))
        #expect(records.content.failures == before.failures)
        try write(["\(second.hex)  c.d"], to: "trusted.sha256")
        for kind in kinds { _ = try records.remove(kind, of: "a.b") }
        try records.change { $0.failures = [:] }
        #expect(try lines() == [])
        #expect(records.content.records == [])
    }

    @Test(
        "the first change fails if a file of an earlier version cannot be read, and keeps all files"
    )
    func unreadableEarlierFile() throws {
        let first = try #require(first)
        try write(["\(first.hex)  a.b"], to: "trusted.sha256")
        // A folder cannot be read as a file.
        try FileManager.default.createDirectory(
            atPath: folder.file("quarantine.json"), withIntermediateDirectories: false)
        #expect(records.contains(.trusted, first))
        let changed = records
        #expect(throws: HostError.self) { try changed.remove(.trusted, of: "a.b") }
        #expect(changed.contains(.trusted, first))
        #expect(FileManager.default.fileExists(atPath: folder.file("trusted.sha256")))
        #expect(!FileManager.default.fileExists(atPath: folder.file("extensions.jsonl")))
    }

    @Test("a change fails if the file cannot be read, and keeps it")
    func unreadableFile() throws {
        let first = try #require(first)
        try FileManager.default.createDirectory(
            atPath: folder.file("extensions.jsonl"), withIntermediateDirectories: false)
        #expect(records.content.records.isEmpty)
        #expect(throws: HostError.self) { try records.add(.trusted, first, of: "a.b") }
        #expect(!records.contains(.trusted, first))
        var isFolder: ObjCBool = false
        #expect(
            FileManager.default.fileExists(
                atPath: folder.file("extensions.jsonl"), isDirectory: &isFolder)
                && isFolder.boolValue)
    }

    @Test("trust that was removed does not return from a file of an earlier version")
    func removedTrust() throws {
        let (first, second) = (try #require(first), try #require(second))
        try write(["\(first.hex)  a.b"], to: "trusted.sha256")
        #expect(records.contains(.trusted, first))
        #expect(try records.remove(.trusted, of: "a.b"))
        // As an earlier version of the program, or a backup, would leave it.
        try write(["\(first.hex)  a.b"], to: "trusted.sha256")
        #expect(!records.contains(.trusted, first))
        try records.add(.trusted, second, of: "c.d")
        #expect(!records.contains(.trusted, first) && records.contains(.trusted, second))
    }

    @Test("every change removes the files of earlier versions, and fails if one cannot be removed")
    func leftEarlierFiles() throws {
        let first = try #require(first)
        try write([], to: "extensions.jsonl")
        try write(["\(first.hex)  a.b"], to: "trusted.sha256")
        try records.add(.reproducing, first, of: "a.b")
        #expect(!FileManager.default.fileExists(atPath: folder.file("trusted.sha256")))
        try FileManager.default.createDirectory(
            atPath: folder.file("trusted.sha256"), withIntermediateDirectories: false)
        try write([], to: "quarantine.json")
        #expect(throws: HostError.self) { try records.add(.notReproducing, first, of: "a.b") }
        #expect(records.contains(.notReproducing, first))
        #expect(!FileManager.default.fileExists(atPath: folder.file("quarantine.json")))
    }

    @Test("invalid lines are kept without effect, and the surrounding records count")
    func nonsense() throws {
        let (first, second) = (try #require(first), try #require(second))
        let trusting = #""kind": "trusted""#
        let invalid = [
            "{", "{}", "[]", "\u{0}", "\(first.hex)  i.j",
            #"{"digest": "12", "identifier": "c.d", \#(trusting)}"#,
            #"{"digest": 1, "identifier": "e.f", \#(trusting)}"#,
            #"{"digest": "\#(second.hex)", "identifier": "k.l"}"#,
            #"{"digest": "\#(second.hex)", "identifier": "m.n", "kind": "trusts"}"#,
            #"{"digest": "\#(second.hex)", "identifier": "o.p", \#(trusting)"#,
        ]
        let valid = [
            #"{"digest": "\#(first.hex)", "identifier": "a.b", \#(trusting)}"#,
            #"{"digest": "\#(second.hex)", "identifier": "g.h", \#(trusting), "note": null}"#,
        ]
        try write([valid[0]] + invalid + [valid[1]], to: "extensions.jsonl")
        let found = Set(
            [(first, "a.b"), (second, "g.h")].map {
                ExtensionRecord(kind: .trusted, digest: $0.0, identifier: $0.1)
            })
        #expect(records.content.records == found && records.content.failures.isEmpty)
        #expect(try records.remove(.trusted, of: "a.b"))
        #expect(try lines().count == invalid.count + 1)
        #expect(try invalid.allSatisfy(lines().contains))
        #expect(records.content.records.map(\.identifier) == ["g.h"])
    }

    @Test(
        "a number of failures out of range is kept without effect",
        arguments: [Int.max, 1_000_001, 0, -1, Int.min])
    func invalidFailures(count: Int) throws {
        let (first, second) = (try #require(first), try #require(second))
        func line(_ digest: SHA256Digest, _ failures: Int) -> String {
            #"{"identifier": "a.b", "digest": "\#(digest.hex)", "libraryHash": "\#(first.hex)", "#
                + #""failures": \#(failures), "reason": "crashed", "date": "2026-01-01T00:00:00Z"}"#
        }
        let invalid = line(first, count)
        try write([invalid, line(second, 1_000_000)], to: "extensions.jsonl")
        let quarantine = Quarantine(folder: folder.path, logger: Logger(label: "test"))
        #expect(quarantine.entries.map(\.failures) == [1_000_000])
        quarantine.recordFailure(of: first, library: first, "a.b", "crashed")
        quarantine.recordFailure(of: second, library: first, "a.b", "crashed")
        #expect(quarantine.entries.map(\.failures) == [1, 1_000_000])
        #expect(try lines().contains(invalid))
    }

    @Test("records that another host removed have no effect")
    func otherHost() throws {
        let first = try #require(first)
        let (own, other) = (records, records)
        try own.add(.trusted, first, of: "a.b")
        #expect(other.contains(.trusted, first) && other.names(.trusted, "a.b"))
        #expect(try other.remove(.trusted, of: "a.b"))
        #expect(!own.contains(.trusted, first) && !own.names(.trusted, "a.b"))
    }

    @Test("records of one kind do not affect those of others")
    func kinds() throws {
        let (first, second) = (try #require(first), try #require(second))
        try records.add(.readsOriginals, first, of: "a.b")
        try records.add(.notReproducing, first, of: "a.b")
        #expect(!records.contains(.trusted, first) && !records.contains(.reproducing, first))
        try records.add(.readsOriginals, second, of: "a.b")
        #expect(!records.contains(.readsOriginals, first))
        #expect(
            records.contains(.readsOriginals, second) && records.contains(.notReproducing, first))
    }
}
