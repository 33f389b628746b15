// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Testing

@testable import EditHostCommand

/// A command line as shown in the documentation, possibly with a comment.
struct CommandLineExample {
    /// The words after the program's name.
    let words: [String]

    init(_ line: String) {
        let command = line.firstRange(of: " # ").map { line[..<$0.lowerBound] } ?? line[...]
        words = Self.words(command.trimmingPrefix("edithost "))
    }

    /// Splits at spaces outside of quotes.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character == " " {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// Parses the line as the program does.
    ///
    /// - Returns: The command that the line runs.
    @discardableResult
    func parse() throws -> any ParsableCommand {
        try RootCommand.parseAsRoot(try CommandArguments(words).arranged)
    }
}
