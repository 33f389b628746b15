// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import FileAccess

/// The command line after the program name.
struct CommandArguments {
    /// The rewritten arguments for the parser.
    let arranged: [String]

    /// - Throws: `CommandEnd` if the command is unknown, with a list of the known ones.
    init(_ typed: [String]) throws {
        let words = try Self.movingLibrary(Self.separatingMarks(typed))
        arranged = Self.joiningNumbers(try Self.renamingMissingOption(words))
        try Self.requireUnicode(arranged)
        // The parser would treat it as an empty list.
        guard typed.first != "edit" || typed.last != "--then" else {
            throw CommandEnd(
                status: .usage, message: "--then needs an extension: --then <extension>")
        }
        try Self.requireCommand(in: arranged[...], of: RootCommand.self, after: "edithost")
    }

    /// Returns the command in the words after the program name, or `nil` if there is none.
    static func command(in typed: [String]) -> String? {
        try? movingLibrary(typed).first.flatMap { $0.begins(with: "-") ? nil : $0 }
    }

    /// Rejects arguments that are not UTF-8, except the files to import. Libraries behind other options accept
    /// only UTF-8.
    private static func requireUnicode(_ arguments: [String]) throws {
        let isImport = arguments.first == "import"
        let options = arguments.prefix { $0 != "--" }.count
        for (place, word) in arguments.enumerated() where word.hasEscapedBytes {
            let isOption = place < options && word.begins(with: "-")
            let isLibrary = place < options && place > 0 && arguments[place - 1] == "--library"
            guard isImport, !isOption, !isLibrary else {
                throw CommandEnd(
                    status: .usage,
                    message: "\(word.printable) is not valid UTF-8; only paths given to import "
                        + "may contain other bytes")
            }
        }
    }

    /// Splits `--option=value` if the value starts with a combining mark.
    ///
    /// The parser searches for `=` among characters, and a sign with a combining mark is a different character.
    private static func separatingMarks(_ typed: [String]) -> [String] {
        let options = typed.prefix { $0 != "--" }
        return options.flatMap { word in
            guard word.begins(with: "-"), let parts = word.split(atFirst: "="),
                !word.hasPrefix(parts.head + "=")
            else { return [word] }
            return [parts.head, parts.tail]
        } + typed[options.endIndex...]
    }

    /// Joins an option and a negative number with `=`.
    ///
    /// The parser would otherwise treat the number as an option. Joined, it is the value, which the option
    /// validates.
    private static func joiningNumbers(_ words: [String]) -> [String] {
        let end = words.prefix { $0 != "--" }.count
        var joined: [String] = []
        for (place, word) in words.enumerated() {
            let bytes = word.utf8.prefix(2)
            let isNumber =
                bytes.first == UInt8(ascii: "-")
                && bytes.dropFirst().contains { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
            if place < end, isNumber, let option = joined.last, option.begins(with: "--"),
                option.utf8.count > 2, !option.utf8.contains(UInt8(ascii: "="))
            {
                joined[joined.count - 1] = "\(option)=\(word)"
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    /// Moves a `--library` before the command into the command's own options.
    private static func movingLibrary(_ typed: [String]) throws -> [String] {
        var rest = typed[...]
        var library: [String] = []
        while let first = rest.first {
            if first == "--library" {
                library += rest.prefix(2)
                rest = rest.dropFirst(2)
            } else if first.begins(with: "--library=") {
                library.append(rest.removeFirst())
            } else {
                break
            }
        }
        guard library.isEmpty || !rest.isEmpty else {
            throw CommandEnd(
                status: .usage, message: "--library needs a path, followed by a command")
        }
        let options = rest.prefix { $0 != "--" }
        return options + library + rest[options.endIndex...]
    }

    /// Renames `--missing skip` and `--missing fail` of `rerender` and `work plan` to `--missing-extensions`. Without a
    /// value, `--missing` is a filter.
    private static func renamingMissingOption(_ arguments: [String]) throws -> [String] {
        guard arguments.first == "rerender" || arguments.starts(with: ["work", "plan"]) else {
            return arguments
        }
        let end = arguments.prefix { $0 != "--" }.count
        return try arguments.enumerated().map { place, word in
            guard place < end else { return word }
            if word == "--missing" {
                let next = place + 1 < end ? arguments[place + 1] : "-"
                // Filters exclude identifiers, so a following word can only be a value.
                if next.begins(with: "-") { return word }
                try requireMissing(next)
                return "--missing-extensions"
            }
            // The filter takes no value.
            guard word.begins(with: "--missing=") else { return word }
            let value = String(word.dropFirst("--missing=".count))
            try requireMissing(value)
            return "--missing-extensions=" + value
        }
    }

    private static func requireMissing(_ word: String) throws {
        let words = RerenderCommand.Missing.allCases.map(\.rawValue)
        guard !words.contains(word) else { return }
        throw CommandEnd(
            status: .usage,
            message:
                "--missing takes \(words.joined(separator: " or ")), not "
                + "\"\(word.printable)\"; without a value it is a filter, which cannot "
                + "be combined with identifiers")
    }

    private static func requireCommand(
        in arguments: ArraySlice<String>, of parent: any ParsableCommand.Type, after words: String
    ) throws {
        let commands = parent.configuration.subcommands
        guard let name = arguments.first, !name.begins(with: "-"), !commands.isEmpty, name != "help"
        else { return }
        let command = commands.first { $0.configuration.commandName == name }
        guard let command else {
            let names = commands.compactMap { $0.configuration.commandName }
            throw CommandEnd(
                status: .usage,
                message: "unknown command \"\(name)\"\(name.closest(among: names).suggestion) "
                    + "(\"\(words) --help\" lists the commands)")
        }
        try requireCommand(
            in: arguments.dropFirst(), of: command, after: "\(words) \(name)")
    }
}
