// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import RunnerHost

/// The files in which a host records extensions by their digests.
@Suite("digest lists")
struct DigestListTests {
    private let folder: TemporaryFolder
    private let first = SHA256Digest(hex: String(repeating: "1a", count: 32))
    private let second = SHA256Digest(hex: String(repeating: "2b", count: 32))

    init() throws { folder = try TemporaryFolder() }

    private var file: String { folder.file("list.sha256") }

    @Test(
        "a name with a line break adds no second extension",
        arguments: [
            "\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\"}\n{\"",
            "\\n",
        ])
    func separators(separator: String) throws {
        let (first, second) = (try #require(first), try #require(second))
        let name = "com.example.one\(separator)\(second.hex)  com.example.two"
        try DigestList(file: file).add(first, of: name)
        // This reads the entries and writes them back.
        try DigestList(file: file).add(
            try #require(SHA256Digest(hex: String(repeating: "3c", count: 32))),
            of: "com.example.three")
        let list = DigestList(file: file)
        #expect(list.contains(first) && list.names(name))
        #expect(!list.contains(second) && !list.names("com.example.two"))
        #expect(DigestList.read(file).count == 2)
        #expect(try list.remove(name))
        #expect(DigestList.read(file).count == 1)
    }

    @Test("lists of earlier versions are read as bytes and rewritten as objects")
    func earlier() throws {
        let (first, second) = (try #require(first), try #require(second))
        let lines = [
            "\(first.hex)  com.example.one", "\(second.hex) *com.example.\u{301}two", "nonsense",
            "\(String(repeating: "4d", count: 32))  a\u{2028}\(String(repeating: "5e", count: 32))  b",
        ]
        try folder.write(Data(lines.joined(separator: "\n").utf8), to: "list.sha256")
        let read = DigestList.read(file)
        #expect(read[first] == "com.example.one" && read[second] == "com.example.\u{301}two")
        #expect(read.count == 3)
        #expect(try DigestList(file: file).remove("com.example.one"))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let objects = try text.utf8.split(separator: 0x0A).map {
            try JSONSerialization.jsonObject(with: Data($0)) as? [String: String]
        }
        #expect(objects.count == 2)
        #expect(objects[0] == ["digest": second.hex, "identifier": "com.example.\u{301}two"])
    }

    @Test("invalid lines are ignored, and the surrounding records count")
    func nonsense() throws {
        let (first, second) = (try #require(first), try #require(second))
        let lines = [
            #"{"digest": "\#(first.hex)", "identifier": "a.b"}"#, "{", "{}", "[]", "\u{0}",
            #"{"digest": "12", "identifier": "c.d"}"#, #"{"digest": 1, "identifier": "e.f"}"#,
            #"{"digest": "\#(second.hex)", "identifier": "g.h", "note": null}"#,
        ]
        try folder.write(Data(lines.joined(separator: "\n").utf8), to: "list.sha256")
        #expect(DigestList.read(file) == [first: "a.b", second: "g.h"])
    }
}
