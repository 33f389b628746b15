// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHostCommand

/// Names that other programs pass on standard input.
@Suite("standard input")
struct StandardInputTests {
    /// Reads names in pieces of the given size.
    private func names(_ bytes: [UInt8], pieces: Int = 7) throws -> [String] {
        var list = NameList()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try list.read(bytes[start..<min(bytes.count, start + pieces)])
        }
        return try list.finished()
    }

    private func names(_ text: String, pieces: Int = 7) throws -> [String] {
        try names(Array(text.utf8), pieces: pieces)
    }

    @Test(
        "the first word of each line is a name, despite a BOM, blanks and any line endings",
        arguments: [1, 2, 3, 1000])
    func words(pieces: Int) throws {
        for text in [
            "a1\nb2\n", "\u{FEFF}a1\r\nb2\r\n", "  a1 x y\n\t b2\tz", "a1\r\rb2",
            "ID  NAME\na1  n\n\n\nb2  m",
            "\u{FEFF}\u{FEFF} a1 \n\u{A0}b2\u{2003}c", "a1\u{2028}x\nb2",
            "{\"id\": \"a1\"}\n  {\"id\": \"b2\", \"name\": \"\u{301}\"} \r\n{\"progress\": {}}\n",
            "\u{FEFF}{\"id\": \"a1\"}\n{\"id\": null}\nb2\n",
        ] {
            #expect(try names(text, pieces: pieces) == ["a1", "b2"], "\(text.debugDescription)")
        }
        #expect(try names("", pieces: pieces).isEmpty)
        #expect(try names("a\u{301}b \u{301}c", pieces: pieces) == ["a\u{301}b"])
        #expect(try names([0x61, 0xFF, 0x0A, 0x62], pieces: pieces) == ["a\u{FFFD}", "b"])
        #expect(try names("{\"id\": 1}", pieces: pieces) == ["{\"id\": 1}"])
    }

    @Test("line length, number of names and total size are limited")
    func limits() throws {
        let blanks = [UInt8](repeating: 0x20, count: NameList.maximumLineLength - 1)
        #expect(try names(blanks + [0x61, 0x0A, 0x62], pieces: 65536) == ["a", "b"])
        func refusal(_ body: (inout NameList) throws -> Void) -> CommandEnd? {
            #expect(throws: CommandEnd.self) {
                var list = NameList()
                try body(&list)
                _ = try list.finished()
            }
        }
        let long = refusal { list in
            let zeros = [UInt8](repeating: 0, count: 65536)
            for _ in 0..<17 { try list.read(zeros[...]) }
        }
        #expect(long?.status == .badData && long?.message?.contains("1 MiB in one line") == true)
        let many = refusal { list in
            let block = Array(String(repeating: "a\n", count: 10_000).utf8)
            for _ in 0...100 { try list.read(block[...]) }
        }
        #expect(many?.status == .badData && many?.message?.contains("1000000 names") == true)
    }

    @Test(
        "endless input ends the command before anything changes",
        arguments: [["edit", "-", "--with", "sepia"], ["delete", "-"], ["favorite", "-"]])
    func endless(command: [String]) throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let result = try runProgram(
            "/bin/sh", ["-c", "exec \"$0\" \"$@\" </dev/zero", Workbench.command] + command,
            environment: bench.environment())
        #expect(result.status == 65 && result.output.isEmpty)
        #expect(result.errors.contains("1 MiB in one line"), "\(result.errors)")
        #expect(try bench.position(ids[0]) == (0, 0))
    }

    @Test("every command that takes several photos reads identifiers from standard input")
    func commands() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        _ = try bench.json("album", "create", "A")
        _ = try bench.json(["album", "add", "A"] + ids)
        func pipe(_ command: String...) throws -> [[String: Any]] {
            let input = "printf '\\357\\273\\277%s\\r\\n' \(ids[0]) \(ids[2])"
            let result = try runProgram(
                "/bin/sh",
                ["-c", "\(input) | \"$0\" \"$@\"", Workbench.command] + command + ["--json"],
                environment: bench.environment())
            try #require(result.status == 0, "\(command): \(result.errors)")
            return try result.objects
        }
        func chosen(_ objects: [[String: Any]]) -> [String?] { objects.map { $0["id"] as? String } }
        #expect(try chosen(pipe("favorite", "-")) == [ids[0], ids[2]])
        #expect(try Set(chosen(bench.json("list", "--favorite"))) == [ids[0], ids[2]])
        #expect(try chosen(pipe("hide", "-", ids[1], ids[0])) == [ids[0], ids[2], ids[1]])
        #expect(try pipe("hide", "-", "--off").allSatisfy { $0["isHidden"] as? Bool == false })
        _ = try bench.json("hide", ids[1], "--off")
        let rated = try pipe("set", ids[1], "-", "--title", "T")
        #expect(chosen(rated) == [ids[1], ids[0], ids[2]])
        _ = try pipe("album", "move", "A", "-", "--to-end")
        #expect(try chosen(bench.json("list", "--album", "A")) == [ids[1], ids[0], ids[2]])
        let two = try runProgram(
            "/bin/sh",
            [
                "-c", "printf '%s\\n' \(ids[0]) \(ids[1]) | \"$0\" set - --represents-burst",
                Workbench.command,
            ], environment: bench.environment())
        #expect(two.status == 64 && two.errors.contains("exactly one photo"), "\(two.errors)")
        #expect(try chosen(pipe("delete", "-")) == [ids[0], ids[2]])
        #expect(try chosen(bench.json("list")) == [ids[1]])
    }
}
