// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import EditHostCommand

/// Random command-line arguments, standard input and completion requests, which must be parsed or
/// rejected.
@Suite("random arguments, name lists and completions")
struct RandomArgumentTests {
    private let seed = TestSeed.seed()

    private static let words = [
        "edit", "list", "rerender", "export", "--library", "--library=x", "--missing",
        "--missing=skip", "--", "--then",
        "--limit", "-1", "-", "--set", "a=b", "--title=\u{301}x", "--set=a=\u{301}", "-o=\u{301}",
        "=\u{301}", "--=", "\u{301}",
        "-\u{301}", "--\u{301}=\u{301}", "\u{10FEFF}", "2024-02-30T25:61", "0,0,1", "1:2:3.4",
        "date:desc,", "4..2",
        "999999999999T", "1e999x2",
    ]

    private func word(using random: inout some RandomNumberGenerator) -> String {
        let word = Fuzz.pick(Self.words, using: &random)
        guard Int.random(in: 0..<3, using: &random) == 0 else { return word }
        let changed = Fuzz.mutated(Data(word.utf8), using: &random)
        return String(decoding: changed, as: UTF8.self)
    }

    /// Arranges random command lines, and reads random arguments, name lists and shell words.
    func read(_ rounds: Int) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<rounds {
            let typed = (0..<Int.random(in: 0...6, using: &random)).map { _ in word(using: &random)
            }
            let arranged = try? CommandArguments(typed).arranged
            // No character is lost, except equals signs, which join or separate words.
            if let arranged, !typed.contains(where: { $0.utf8.starts(with: "--missing".utf8) }) {
                func characters(_ words: [String]) -> [UInt8] {
                    words.flatMap(\.utf8).filter { $0 != UInt8(ascii: "=") }.sorted()
                }
                #expect(characters(arranged) == characters(typed), "\(typed), seed \(seed)")
            }
            let one = word(using: &random)
            readArgument(one)
            try readNames(one, using: &random)
            readShellWord(one)
        }
    }

    private func readArgument(_ text: String) {
        if let assignment = try? ParameterAssignment(argument: text) {
            #expect(
                Array("\(assignment.name)=\(assignment.value)".utf8) == Array(text.utf8),
                "seed \(seed)")
        }
        _ = (CaptureDateArgument(argument: text), LocationArgument(argument: text))
        _ = (MomentArgument(argument: text), NearArgument(argument: text))
        _ = (SortArgument(argument: text), RatingFilter(argument: text))
        _ = (VideoTime(argument: text), MemorySize(argument: text))
        _ = CaptionArgument(argument: text)
    }

    private func readNames(
        _ text: String, using random: inout some RandomNumberGenerator
    ) throws {
        let bytes = Array(Data("\(text)\n{\"id\":\"\(text)\"}\r\n \(text)".utf8))
        func names(_ piece: Int) throws -> [String] {
            var list = NameList()
            for start in stride(from: 0, to: bytes.count, by: piece) {
                try list.read(bytes[start..<min(bytes.count, start + piece)])
            }
            return try list.finished()
        }
        let whole = try names(bytes.count)
        let pieces = try names(Int.random(in: 1...5, using: &random))
        #expect(pieces == whole, "seed \(seed)")
    }

    private func readShellWord(_ text: String) {
        let single = text.unicodeScalars.reduce(into: "'") { word, scalar in
            word += scalar == "'" ? "'\\''" : String(scalar)
        }
        let slashed = text.unicodeScalars.reduce(into: "") { word, scalar in
            word.unicodeScalars.append(contentsOf: ["\\", scalar])
        }
        for quoted in [single + "'", slashed] {
            #expect(
                Array(ShellWord.unquoted(quoted).utf8) == Array(text.utf8), "\(text), seed \(seed)")
        }
        _ = ShellWord.unquoted(text)
    }

    @Test("200 random command lines, arguments, name lists and words are parsed or rejected")
    func some() throws { try read(200) }

    @Test("twenty random command lines are parsed or rejected by the commands")
    func commands() throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let typed = (0..<Int.random(in: 0...6, using: &random)).map { _ in word(using: &random)
            }
            guard let arranged = try? CommandArguments(typed).arranged else { continue }
            _ = try? RootCommand.parseAsRoot(arranged)
        }
    }
}

/// Many more rounds.
@Suite("random arguments, name lists and completions, exhaustive", .torture)
struct RandomArgumentTorture {
    @Test("100,000 random command lines, arguments, name lists and words are parsed or rejected")
    func all() throws { try RandomArgumentTests().read(100_000) }
}
