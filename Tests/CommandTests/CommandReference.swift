// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The part of the output of `edithost --experimental-dump-help` that a page shows.
struct HelpDump: Decodable {
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    /// A positional argument, an option or a flag.
    struct Argument: Decodable {
        enum Kind: String, Decodable {
            case positional, option, flag
        }

        /// A name without its leading dashes.
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: Kind
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let discussion: String?
        let defaultValue: String?
        let allValues: [String]?
        let sectionTitle: String?
        let isOptional: Bool
        let isRepeating: Bool
        let shouldDisplay: Bool
    }

    let command: Command
}

extension HelpDump.Argument {
    /// The names with their dashes, the short ones first.
    fileprivate var spelledNames: [String] {
        let names = names ?? []
        return names.filter { $0.kind == "short" }.map { "-\($0.name)" }
            + names.filter { $0.kind == "long" }.map { "--\($0.name)" }
    }

    /// The last long name without dashes, or the value name of a positional argument.
    fileprivate var plainName: String {
        names?.last { $0.kind == "long" }?.name ?? valueName ?? ""
    }

    /// The argument as the user types it.
    fileprivate var usage: String {
        let value = "<\(valueName ?? "value")>"
        let dots = isRepeating ? " ..." : ""
        return switch kind {
        case .positional: value + dots
        case .option: "\(spelledNames.last ?? "") \(value)"
        case .flag: spelledNames.last ?? ""
        }
    }

    /// The argument with all its names, for a table.
    fileprivate var term: String {
        guard kind != .positional else { return "`\(usage)`" }
        let value = kind == .option ? " <\(valueName ?? "value")>" : ""
        return "`\((spelledNames).joined(separator: ", "))\(value)`"
    }

    /// The description, with the possible values and the default.
    fileprivate var meaning: String {
        var sentences = [abstract, discussion].compactMap(\.self)
        if kind != .flag {
            if let allValues, !allValues.isEmpty {
                let values = allValues.map { "`\($0)`" }.joined(separator: ", ")
                sentences.append("Values: \(values).")
            }
            if let defaultValue { sentences.append("Default: `\(defaultValue)`.") }
        }
        return sentences.joined(separator: " ")
    }
}

/// `docs/reference/command-line.md`, generated from the program's own help.
struct CommandReference {
    /// Options that the page describes once for all commands.
    private static let commonNames = ["library", "json", "progress", "verbose", "no-sandbox"]
    /// Options that the argument parser adds to every command.
    private static let impliedNames = ["help", "version"]

    private let root: HelpDump.Command

    /// - Parameter dump: The output of `--experimental-dump-help`.
    init(dump: Data) throws {
        root = try JSONDecoder().decode(HelpDump.self, from: dump).command
    }

    var page: String {
        let commands = (root.subcommands ?? []).filter { $0.commandName != "help" }
        let introduction = """
            # Command-line reference

            This page is generated from the program's own help. `edithost help COMMAND` and the manual page
            `edithost-COMMAND` show the same. [json.md](json.md) describes the output with `--json`, and
            [exit-statuses.md](exit-statuses.md) the exit statuses.
            """
        let parts =
            [
                introduction, text(root.discussion ?? ""), index(of: commands),
                commonOptions(commands), filters(commands),
            ]
            + commands.flatMap { sections(of: $0, path: [root.commandName], level: 2) }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    // MARK: - Shared parts

    private func index(of commands: [HelpDump.Command]) -> String {
        let rows = commands.map { command in
            let path = "\(root.commandName) \(command.commandName)"
            let anchor = path.replacingOccurrences(of: " ", with: "-")
            return "| [\(command.commandName)](#\(anchor)) | \(escaped(command.abstract ?? "")) |"
        }
        return (["## Commands", "", "| Command | Purpose |", "|---|---|"] + rows)
            .joined(separator: "\n")
    }

    private func commonOptions(_ commands: [HelpDump.Command]) -> String {
        let all = commands.flatMap(Self.allArguments)
        let common = Self.commonNames.compactMap { name in all.first { $0.plainName == name } }
        return """
            ## Common options

            Every command accepts `--library` before and after its name. A command that uses no \
            library ignores it and does not list it.


            """ + table(common)
    }

    private func filters(_ commands: [HelpDump.Command]) -> String {
        var seen: Set<String> = []
        let found = commands.flatMap(Self.allArguments).filter {
            $0.sectionTitle != nil && !$0.plainName.hasPrefix("with-")
                && seen.insert($0.plainName).inserted
        }
        guard !found.isEmpty else { return "" }
        return """
            ## Filters

            Many commands take filters in place of identifiers. A photo must match all of them. `--sort` and `--limit` \
            apply to the photos that match, or to all with `--all`. If a command has an option with the name of a filter, the name of \
            the filter starts with `with-`: `set --with-rating 4..`.


            """ + table(found)
    }

    private static func allArguments(of command: HelpDump.Command) -> [HelpDump.Argument] {
        (command.arguments ?? []) + (command.subcommands ?? []).flatMap(allArguments)
    }

    // MARK: - Commands

    private func sections(
        of command: HelpDump.Command, path: [String], level: Int
    ) -> [String] {
        let path = path + [command.commandName]
        let subcommands = (command.subcommands ?? []).filter { $0.commandName != "help" }
        let heading = String(repeating: "#", count: level) + " " + path.joined(separator: " ")
        var parts = [heading, escaped(command.abstract ?? "")]
        if subcommands.isEmpty {
            let arguments = (command.arguments ?? []).filter {
                $0.shouldDisplay && !Self.impliedNames.contains($0.plainName)
            }
            let common = (command.arguments ?? []).filter {
                Self.commonNames.contains($0.plainName)
            }
            let own = arguments.filter {
                !Self.commonNames.contains($0.plainName) && $0.sectionTitle == nil
            }
            let hasFilters = arguments.contains { $0.sectionTitle != nil }
            parts.append("```\n\(synopsis(path, own, hasFilters: hasFilters))\n```")
            parts.append(text(command.discussion ?? ""))
            if !own.isEmpty { parts.append(table(own)) }
            parts.append(others(common, hasFilters: hasFilters))
        } else {
            parts.append(text(command.discussion ?? ""))
            parts.append(
                subcommands.map { "* `\($0.commandName)`: \(escaped($0.abstract ?? ""))" }
                    .joined(separator: "\n"))
        }
        return [parts.filter { !$0.isEmpty }.joined(separator: "\n\n")]
            + subcommands.flatMap {
                sections(of: $0, path: path, level: min(level + 1, 4))
            }
    }

    /// The positional arguments and required options, with placeholders for the rest.
    private func synopsis(
        _ path: [String], _ arguments: [HelpDump.Argument], hasFilters: Bool
    ) -> String {
        let positional = arguments.filter { $0.kind == .positional }
        let named = arguments.filter { $0.kind != .positional }
        var words = path
        words += positional.map { $0.isOptional ? "[\($0.usage)]" : $0.usage }
        words += named.filter { !$0.isOptional }.map(\.usage)
        if named.contains(where: \.isOptional) { words.append("[options]") }
        if hasFilters { words.append("[filters]") }
        return words.joined(separator: " ")
    }

    private func others(_ common: [HelpDump.Argument], hasFilters: Bool) -> String {
        let filters = hasFilters ? "[filters](#filters)" : nil
        var options: String? = "[common options](#common-options)"
        if common.isEmpty {
            options = nil
        } else if common.count < Self.commonNames.count {
            options? += " " + common.map { "`--\($0.plainName)`" }.joined(separator: ", ")
        }
        let parts = [filters, options].compactMap(\.self)
        return parts.isEmpty ? "" : "Also takes the " + parts.joined(separator: " and the ") + "."
    }

    // MARK: - Markdown

    /// A table of arguments. Flags with the same description share a row.
    private func table(_ arguments: [HelpDump.Argument]) -> String {
        var rows: [(term: String, meaning: String)] = []
        for argument in arguments {
            if argument.kind == .flag, let last = rows.last, last.meaning == argument.meaning {
                rows[rows.count - 1].term += ", \(argument.term)"
            } else {
                rows.append((argument.term, argument.meaning))
            }
        }
        let lines = rows.map { "| \(cell($0.term)) | \(cell(escaped($0.meaning))) |" }
        return (["| Argument | Meaning |", "|---|---|"] + lines).joined(separator: "\n")
    }

    /// The discussion, with its examples as a code block.
    private func text(_ discussion: String) -> String {
        let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
        let paragraphs = lines.prefix { $0 != "Examples:" }.filter { !$0.isEmpty }
            .joined(separator: "\n\n")
        let examples = lines.drop { $0 != "Examples:" }.dropFirst()
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        let code = examples.isEmpty ? "" : "```\n\(examples.joined(separator: "\n"))\n```"
        return [escaped(paragraphs), code].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// Escapes `*` and `<` outside code.
    private func escaped(_ text: String) -> String {
        text.components(separatedBy: "`").enumerated().map { index, part in
            index % 2 == 1
                ? part
                : part.replacingOccurrences(of: "*", with: "\\*")
                    .replacingOccurrences(of: "<", with: "&lt;")
        }.joined(separator: "`")
    }

    private func cell(_ text: String) -> String {
        text.replacingOccurrences(of: "|", with: "\\|").replacingOccurrences(of: "\n", with: " ")
    }
}
