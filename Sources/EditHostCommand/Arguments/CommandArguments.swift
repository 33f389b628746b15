// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import FileAccess

/// The command line after the program name.
struct CommandArguments {
    /// The rewritten arguments for the parser.
    let arranged: [String]

    /// - Throws: `CommandEnd` if the command is unknown, with a list of the known ones.
    init(_ typed: [String]) throws {
        let words = try Self.movingLibrary(Self.separatingMarks(typed))
        arranged = Self.joiningNumbers(try Self.renamingFilterLikeOptions(words))
        try Self.requireUnicode(arranged)
        // The parser would treat it as an empty list.
        guard typed.first != "edit" || typed.last != "--then" else {
            throw CommandEnd(
                status: .usage, message: "--then needs an extension: --then <extension>")
        }
        try Self.rejectUnknownCommand(
            in: arranged[...], of: RootCommand.self, after: "edithost")
    }

    /// Returns the command in the words after the program name, or `nil` if there is none.
    static func command(in typed: [String]) -> String? {
        var rest = typed[...]
        _ = takeLibrary(from: &rest)
        return rest.first.flatMap { $0.begins(with: "-") ? nil : $0 }
    }

    /// Returns the command in the words after the program name with its subcommands, such as `album add`, or `nil` if
    /// there is none.
    static func commandName(in typed: [String]) -> String? {
        var rest = typed[...]
        var names: [String] = []
        var commands = RootCommand.configuration.subcommands
        while !commands.isEmpty {
            _ = takeLibrary(from: &rest)
            let command = commands.first { $0.configuration.commandName == rest.first }
            guard let command else { break }
            names.append(rest.removeFirst())
            commands = command.configuration.subcommands
        }
        return names.isEmpty ? nil : names.joined(separator: " ")
    }

    /// The options of `import` and `apply` whose values must be UTF-8.
    private static let unicodeOptions: Set = [
        "--library", "--to", "--with", "--set", "--preset", "--recipe", "--name",
    ]

    /// Rejects arguments that are not UTF-8, except the files to import or to render. The code behind other options
    /// accepts only UTF-8.
    private static func requireUnicode(_ arguments: [String]) throws {
        let takesFiles = ["import", "apply"].contains(arguments.first)
        let options = arguments.prefix { $0 != "--" }.count
        for (place, word) in arguments.enumerated() where word.hasEscapedBytes {
            let isOption = place < options && word.begins(with: "-")
            let isValue =
                place < options && place > 0 && unicodeOptions.contains(arguments[place - 1])
            guard takesFiles, !isOption, !isValue else {
                throw CommandEnd(
                    status: .usage,
                    message: "\(word.printable) is not valid UTF-8; only paths given to import "
                        + "and apply may contain other bytes")
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

    /// Moves a `--library` before a command or subcommand into the subcommand's own options.
    private static func movingLibrary(_ typed: [String]) throws -> [String] {
        var rest = typed[...]
        var (library, names): ([String], [String]) = ([], [])
        var commands = RootCommand.configuration.subcommands
        // Help and a group of commands alone have no library.
        var isIgnored = false
        while !commands.isEmpty {
            library += takeLibrary(from: &rest)
            let command = commands.first { $0.configuration.commandName == rest.first }
            if command != nil { names.append(rest.removeFirst()) }
            commands = command?.configuration.subcommands ?? []
            isIgnored = !commands.isEmpty && rest.isEmpty || names.isEmpty && rest.first == "help"
            if isIgnored { break }
        }
        guard library.isEmpty || !names.isEmpty || !rest.isEmpty else {
            throw CommandEnd(
                status: .usage, message: "--library needs a path, followed by a command")
        }
        let options = rest.prefix { $0 != "--" }
        return names + options + (isIgnored ? [] : library) + rest[options.endIndex...]
    }

    /// Removes each `--library` at the start, and returns them.
    private static func takeLibrary(from words: inout ArraySlice<String>) -> [String] {
        var library: [String] = []
        while let first = words.first {
            if first == "--library" {
                library += words.prefix(2)
                words = words.dropFirst(2)
            } else if first.begins(with: "--library=") {
                library.append(words.removeFirst())
            } else {
                break
            }
        }
        return library
    }

    /// An option with a short form that, without a value, is a filter.
    private struct FilterLikeOption {
        let commands: [[String]]
        let short: String
        let long: String
        let values: [String]

        func requireValue(_ word: String) throws {
            guard !values.contains(word) else { return }
            throw CommandEnd(
                status: .usage,
                message:
                    "\(short) takes \(values.joined(separator: " or ")), not "
                    + "\"\(word.printable)\"; without a value it is a filter, which cannot "
                    + "be combined with identifiers")
        }
    }

    private static let filterLikeOptions = [
        FilterLikeOption(
            commands: [["rerender"], ["work", "plan"]], short: "--missing",
            long: "--missing-extensions", values: RerenderCommand.Missing.allCases.map(\.rawValue)),
        FilterLikeOption(
            commands: [["export"]], short: "--stale", long: "--stale-pictures",
            values: ExportOptions.StalePictures.allCases.map(\.rawValue)),
    ]

    /// Replaces the short form of options with their long form if it has a value, such as `--missing fail` of
    /// `rerender`. Without a value, the short form is a filter.
    private static func renamingFilterLikeOptions(_ arguments: [String]) throws -> [String] {
        let option = filterLikeOptions.first { option in
            option.commands.contains { arguments.starts(with: $0) }
        }
        guard let option else { return arguments }
        let end = arguments.prefix { $0 != "--" }.count
        return try arguments.enumerated().map { place, word in
            guard place < end else { return word }
            if word == option.short {
                let next = place + 1 < end ? arguments[place + 1] : "-"
                // Filters exclude identifiers, so a following word can only be a value.
                if next.begins(with: "-") { return word }
                try option.requireValue(next)
                return option.long
            }
            // The filter takes no value.
            guard word.begins(with: option.short + "=") else { return word }
            let value = String(word.dropFirst(option.short.count + 1))
            try option.requireValue(value)
            return "\(option.long)=\(value)"
        }
    }
}
