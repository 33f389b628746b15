// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import Library

/// The command `edithost edits`.
struct EditsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edits",
        abstract: "List, reorder, disable and remove the edits of a photo.",
        discussion: """
            Edits are counted from 1, the first on top of the original. The edits on top of a \
            changed one are applied again. Each command can be undone in one step.
            """,
        examples: """
            edithost edits list 3f2a
            edithost edits move 3f2a 3 --to 1
            edithost edits remove 3f2a 2
            edithost edits disable 3f2a 1
            """,
        subcommands: [List.self, Remove.self, Move.self, Disable.self, Enable.self])

    /// The command `edithost edits list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the edits of a photo.",
            examples: """
                edithost edits list 3f2a
                """)

        @OptionGroup var asset: AssetArgument
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let library = try libraryOptions.open(for: .reading)
            let identifier = try library.asset(named: asset.id).localIdentifier
            let chain = try library.history(ofAsset: identifier).chain
            let output = general.output
            var table = TextTable(
                ["edit", "id", "extension", "version", "format", "applied", "date"])
            for (index, edit) in chain.enumerated() {
                try output.printJSON(edit.row(at: index + 1, of: identifier))
                table.add([
                    "\(index + 1)", ShortIdentifier.of(edit.identifier), edit.author,
                    edit.editingExtension?.version ?? "-",
                    "\(edit.adjustmentData.formatIdentifier) \(edit.adjustmentData.formatVersion)",
                    edit.isEnabled ? "yes" : "no", edit.createdDate.tableText,
                ])
            }
            guard !chain.isEmpty else {
                return output.message("no edits: this is the original")
            }
            try output.printText(table.lines)
        }
    }

    /// The command `edithost edits remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove edits from a photo.",
            examples: """
                edithost edits remove 3f2a 2
                edithost edits remove 3f2a 1 3
                """)

        @OptionGroup var asset: AssetArgument
        @Argument(help: ArgumentHelp("The edits, counted from 1.", valueName: "edit"))
        var edits: [Int]
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let places = Set(edits)
            try await EditsCommand.change(asset, libraryOptions, general, unchanged: "unchanged") {
                host, identifier, library in
                try await host.removeEdits(at: places, of: identifier, in: library)
            }
        }
    }

    /// The command `edithost edits move`.
    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Move an edit to another position in the edit stack.",
            examples: """
                edithost edits move 3f2a 3 --to 1
                """)

        @OptionGroup var asset: AssetArgument
        @Argument(help: ArgumentHelp("The edit, counted from 1.", valueName: "edit"))
        var edit: Int
        @Option(help: ArgumentHelp("The new position, counted from 1.", valueName: "place"))
        var to: Int
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let (place, target) = (edit, to)
            try await EditsCommand.change(
                asset, libraryOptions, general, unchanged: "the edit is already there"
            ) { host, identifier, library in
                try await host.moveEdit(at: place, to: target, of: identifier, in: library)
            }
        }
    }

    /// The command `edithost edits disable`.
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Disable edits without removing them.",
            examples: """
                edithost edits disable 3f2a 2
                """)

        @OptionGroup var asset: AssetArgument
        @Argument(help: ArgumentHelp("The edits, counted from 1.", valueName: "edit"))
        var edits: [Int]
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            try await EditsCommand.set(edits, enabled: false, asset, libraryOptions, general)
        }
    }

    /// The command `edithost edits enable`.
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable",
            abstract: "Enable disabled edits.",
            examples: """
                edithost edits enable 3f2a 2
                """)

        @OptionGroup var asset: AssetArgument
        @Argument(help: ArgumentHelp("The edits, counted from 1.", valueName: "edit"))
        var edits: [Int]
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            try await EditsCommand.set(edits, enabled: true, asset, libraryOptions, general)
        }
    }

    fileprivate static func set(
        _ edits: [Int], enabled: Bool, _ asset: AssetArgument, _ libraryOptions: LibraryOptions,
        _ general: GeneralOptions
    ) async throws {
        let places = Set(edits)
        try await change(
            asset, libraryOptions, general,
            unchanged: enabled ? "already enabled" : "already disabled"
        ) { host, identifier, library in
            try await host.setEdits(at: places, of: identifier, enabled: enabled, in: library)
        }
    }

    fileprivate static func change(
        _ asset: AssetArgument, _ libraryOptions: LibraryOptions, _ general: GeneralOptions,
        unchanged: String,
        _ body:
            @escaping @Sendable (ExtensionHost, String, PhotoLibrary) async throws ->
            EditResult
    ) async throws {
        let library = try libraryOptions.open(for: .changing)
        let identifier = try library.asset(named: asset.id).localIdentifier
        let result = try await general.withHost(jobs: 1, interruption: Interruption()) { host in
            try await body(host, identifier, library)
        }
        try general.output.print(general.output.line(of: result, unchanged: unchanged))
    }
}
