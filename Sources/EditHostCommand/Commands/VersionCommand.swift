// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import Library

/// The command `edithost version`.
struct VersionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Save several versions of a photo, and switch between them.",
        discussion: """
            A version saves the current edits of a photo under a name. The version and its \
            picture are kept when the photo is edited again, its edits are undone, or \
            pictures are pruned.
            """,
        examples: """
            edithost version save 3f2a --name "black and white"
            edithost version use 3f2a --name "black and white"
            """,
        subcommands: [Save.self, List.self, Use.self, Rename.self, Remove.self])

    /// The option for the name of a version.
    struct NameOption: ParsableArguments {
        @Option(help: ArgumentHelp("The name of the version.", valueName: "name"))
        var name: String
    }

    /// The command `edithost version save`.
    struct Save: AssetCommand {
        static let configuration = CommandConfiguration(
            commandName: "save",
            abstract: "Save the current edits of photos as a version.",
            examples: """
                edithost version save 3f2a --name warm
                edithost version save --album Summer --name print --replace
                """)

        @OptionGroup var named: NamedAssets
        @OptionGroup(title: "Filters") var filters: FilterOptions
        @OptionGroup(title: "Order") var order: OrderOptions
        @OptionGroup var version: NameOption
        @Flag(help: "Replace an existing version of this name.")
        var replace = false
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let (name, replaces) = (version.name, replace)
            try await VersionCommand.change(assets, name, "saved", libraryOptions, general) {
                try $0.saveVersion(named: name, replaces: replaces)
            }
        }
    }

    /// The command `edithost version list`.
    struct List: AssetCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the versions of photos.",
            examples: """
                edithost version list 3f2a
                edithost version list --all
                """)

        @OptionGroup var named: NamedAssets
        @OptionGroup(title: "Filters") var filters: FilterOptions
        @OptionGroup(title: "Order") var order: OrderOptions
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let library = try libraryOptions.open(for: .reading)
            let output = general.output
            var table = TextTable(["photo", "version", "edits", "current", "date"])
            for identifier in try await assets.identifiers(in: library) {
                let history = try library.history(ofAsset: identifier)
                for version in history.versions {
                    let isCurrent = version.tip?.identifier == history.chain.last?.identifier
                    try output.printJSON(history.row(of: version))
                    table.add([
                        ShortIdentifier.of(identifier), version.name,
                        version.chain.map(\.author).joined(separator: ", "),
                        isCurrent ? "yes" : "-", version.createdDate.tableText,
                    ])
                }
            }
            try output.printText(table.lines)
        }
    }

    /// The command `edithost version use`.
    struct Use: AssetCommand {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Switch to a saved version.",
            examples: """
                edithost version use 3f2a --name warm
                """)

        @OptionGroup var named: NamedAssets
        @OptionGroup(title: "Filters") var filters: FilterOptions
        @OptionGroup(title: "Order") var order: OrderOptions
        @OptionGroup var version: NameOption
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let name = version.name
            let run = UndoRedoRun(
                verb: "switching versions", canMove: { $0.version(named: name) != nil }
            ) {
                try await $0.useVersion(named: name, of: $1, in: $2, prepared: $3, outcome: $4)
            } line: {
                try $0.line(of: $1, unchanged: "already at this version")
            }
            try await run.run(assets, libraryOptions, general)
        }
    }

    /// The command `edithost version rename`.
    struct Rename: AssetCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Rename a version.",
            examples: """
                edithost version rename 3f2a --name warm --to "warm, cut"
                """)

        @OptionGroup var named: NamedAssets
        @OptionGroup(title: "Filters") var filters: FilterOptions
        @OptionGroup(title: "Order") var order: OrderOptions
        @OptionGroup var version: NameOption
        @Option(help: ArgumentHelp("The new name.", valueName: "name"))
        var to: String
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let (name, other) = (version.name, to)
            try await VersionCommand.change(
                assets, other, "renamed", libraryOptions, general, of: name,
                words: "version \"\(name)\" renamed to \"\(other)\""
            ) { try $0.renameVersion(named: name, to: other) }
        }
    }

    /// The command `edithost version remove`.
    struct Remove: AssetCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a version. The photo itself is not changed.",
            examples: """
                edithost version remove 3f2a --name warm
                """)

        @OptionGroup var named: NamedAssets
        @OptionGroup(title: "Filters") var filters: FilterOptions
        @OptionGroup(title: "Order") var order: OrderOptions
        @OptionGroup var version: NameOption
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let name = version.name
            try await VersionCommand.change(
                assets, name, "removed", libraryOptions, general, of: name
            ) { try $0.removeVersion(named: name) }
        }
    }

    /// Returns the selected photos. A filter selects only those with the version.
    fileprivate static func identifiers(
        _ assets: AssetSelection, _ version: String?, in library: PhotoLibrary
    ) async throws -> [String] {
        let identifiers = try await assets.identifiers(in: library)
        guard !assets.areNamed, let version else { return identifiers }
        return try identifiers.filter {
            try library.history(ofAsset: $0).version(named: version) != nil
        }
    }

    /// Changes versions of the selected photos in one transaction.
    ///
    /// - Parameters:
    ///   - present: A version that the photos must have.
    ///   - words: The outcome for each photo; `nil` derives it from the verb and the version.
    fileprivate static func change(
        _ assets: AssetSelection, _ name: String, _ verb: String, _ libraryOptions: LibraryOptions,
        _ general: GeneralOptions, of present: String? = nil, words: String? = nil,
        _ body: @escaping @Sendable (AssetChangeRequest) throws -> Void
    ) async throws {
        let library = try libraryOptions.open(for: .changing)
        var identifiers = try await identifiers(assets, present, in: library)
        if present == nil, !assets.areNamed {
            identifiers = try identifiers.filter {
                try !library.history(ofAsset: $0).chain.isEmpty
            }
        }
        let all = try identifiers.map { try library.asset(withLocalIdentifier: $0) }
        guard !all.isEmpty else { return general.output.message("nothing to do") }
        try await library.performChanges {
            for asset in all { try body(AssetChangeRequest(for: asset)) }
        }
        for identifier in all.map(\.localIdentifier) {
            try general.output.print(
                JSONRow(version: name, of: identifier, status: verb),
                "\(ShortIdentifier.of(identifier))  \(words ?? "version \"\(name)\" \(verb)")")
        }
    }
}
