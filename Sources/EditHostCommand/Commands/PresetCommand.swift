// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import JSONOutput
import Library

/// The command `edithost preset`.
struct PresetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset",
        abstract: "Save edits as presets, apply and share them.",
        discussion: """
            A preset contains the recipes of one or more edits, in the file NAME.json in the \
            folder presets next to config.json. "edit --preset NAME" without --with applies your \
            own preset or, if there is none, an extension's preset of that name. Presets of \
            extensions can also be shown and exported.
            """,
        examples: """
            edithost preset save faded --from 3f2a
            edithost preset list
            edithost preset export faded faded.json
            """,
        subcommands: [
            Save.self, List.self, Show.self, Rename.self, Remove.self, Import.self, Export.self,
        ])

    fileprivate static func folder() throws -> PresetFolder {
        try PresetFolder(GeneralOptions.standardConfiguration)
    }

    /// The command `edithost preset save`.
    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "save",
            abstract: "Save the edits of a photo as a preset.",
            examples: """
                edithost preset save faded --from 3f2a
                edithost preset save faded --from 3f2a --only sepia --replace
                """)

        @Argument(help: ArgumentHelp("The name of the preset.", valueName: "name"))
        var name: String
        @Option(
            help: ArgumentHelp(
                "The photo whose current edits are saved.", valueName: "id"),
            completion: .asset)
        var from: String
        @Option(
            help: ArgumentHelp(
                "Save only edits with this extension; may be repeated.",
                valueName: "extension"))
        var only: [String] = []
        @Flag(help: "Replace an existing preset of this name.")
        var replace = false
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let library = try libraryOptions.open(for: .reading)
            let source = try library.asset(named: from).localIdentifier
            let names = only.isEmpty ? nil : only
            let preset = try await general.withHost { host in
                try host.preset(ofEditsOf: source, extensionNames: names, in: library)
            }
            try PresetCommand.folder().save(preset, as: name, replaces: replace)
            try general.output.print(preset, named: name)
        }
    }

    /// The command `edithost preset list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List your own presets and those of extensions.",
            examples: """
                edithost preset list
                """)

        @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let batch = BatchRun(general)
            let output = batch.output
            let folder = try PresetCommand.folder()
            for name in try folder.names {
                do {
                    try output.print(try folder.preset(named: name), named: name)
                    batch.finish(name)
                } catch {
                    try batch.fail(
                        name, error, ["name": name, "error": ExitStatus.words(for: error)])
                }
            }
            let offered = try await general.withHost { $0.offeredPresets }
            for offered in offered { try output.print(offered) }
            if batch.isEmpty, offered.isEmpty { output.message("no presets") }
            try batch.end()
        }
    }

    /// The command `edithost preset show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the edits of a preset, or the values of an extension's preset.",
            examples: """
                edithost preset show faded
                edithost preset show warm --with tint
                """)

        @OptionGroup var preset: PresetArgument
        @OptionGroup var author: PresetAuthor
        @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            switch try await NamedPreset(preset.name, author, general) {
            case .own(let preset): try general.output.print(steps: preset.steps)
            case .offered(let offered): try general.output.print(values: offered)
            }
        }
    }

    /// The command `edithost preset rename`.
    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Rename a preset.",
            examples: """
                edithost preset rename faded "old album"
                """)

        @OptionGroup var preset: PresetArgument
        @Argument(help: ArgumentHelp("The new name.", valueName: "new"))
        var new: String
        @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let folder = try PresetCommand.folder()
            try await general.requireOwn(preset.name, in: folder)
            try folder.rename(preset.name, to: new)
            try general.output.print(try folder.preset(named: new), named: new)
        }
    }

    /// The command `edithost preset remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a preset. Edits made with it are kept.",
            examples: """
                edithost preset remove faded
                """)

        @OptionGroup var preset: PresetArgument
        @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let folder = try PresetCommand.folder()
            try await general.requireOwn(preset.name, in: folder)
            try folder.remove(preset.name)
            try general.output.print(
                ["name": preset.name], "removed \(preset.name)")
        }
    }

    /// The command `edithost preset import`.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import a preset from a file.",
            examples: """
                edithost preset import faded.json
                edithost preset import faded.json --as "old album"
                """)

        @Argument(
            help: ArgumentHelp("The file of the preset.", valueName: "file"), completion: .file())
        var file: String
        @Option(
            name: .customLong("as"),
            help: ArgumentHelp(
                "The name of the preset (default: the name of the file without its extension).",
                valueName: "name"))
        var name: String?
        @Flag(help: "Replace an existing preset of this name.")
        var replace = false
        @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let preset = try EditPreset(file: file)
            let own = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            let name = name ?? own
            try PresetCommand.folder().save(preset, as: name, replaces: replace)
            try general.output.print(preset, named: name)
        }
    }

    /// The command `edithost preset export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export a preset to a file.",
            discussion: """
                The recipe of an extension's preset is created by the extension. Parameters that \
                the preset does not set have their default values.
                """,
            examples: """
                edithost preset export faded faded.json
                edithost preset export warm warm.json --with tint --replace
                edithost preset export faded -  # writes to standard output
                """)

        @OptionGroup var preset: PresetArgument
        @Argument(
            help: ArgumentHelp(
                "The file to write; - writes to standard output.", valueName: "file"),
            completion: .file())
        var file: OutputFile
        @OptionGroup var author: PresetAuthor
        @Flag(help: "Replace an existing file.")
        var replace = false
        @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func validate() throws { try file.validate(general) }

        func run() async throws {
            if !file.isStandardOutput { try PhotoLibrary.requireOutsideLibraries(file.path) }
            switch try await NamedPreset(preset.name, author, general) {
            case .own(let own):
                if try write(own) { try general.output.print(own, named: preset.name) }
            case .offered(let offered):
                let recipe = try await general.withHost { try await $0.recipe(of: offered) }
                if try write(recipe) { try general.output.print(offered) }
            }
        }

        /// - Returns: `false` if the preset was written to standard output, which takes no messages.
        private func write(_ preset: EditPreset) throws -> Bool {
            guard file.isStandardOutput else {
                try preset.write(toFile: file.path, replaces: replace)
                return true
            }
            try general.output.print(document: String(decoding: try preset.encoded, as: UTF8.self))
            return false
        }
    }
}
