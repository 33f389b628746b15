// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Library

/// `edithost preset`
struct PresetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset",
        abstract: "Keep edits under a name, and share them.",
        discussion: """
            A preset is the recipes of one or several edits, in a file NAME.json in the folder presets \
            beside config.json. "edit --preset NAME", without --with, applies it, or one of that name that \
            an extension offers. Those of extensions can be shown and exported, too.
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

    /// `edithost preset save`
    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "save",
            abstract: "Keep the edits of a photograph as a preset.",
            examples: """
                edithost preset save faded --from 3f2a
                edithost preset save faded --from 3f2a --only sepia --replace
                """)

        @Argument(help: ArgumentHelp("The preset's name.", valueName: "name"))
        var name: String
        @Option(
            help: ArgumentHelp(
                "The asset whose edits are kept, in the state that it is in.", valueName: "id"),
            completion: .asset)
        var from: String
        @Option(
            help: ArgumentHelp(
                "Keep the edits with this extension alone; may be repeated.",
                valueName: "extension"))
        var only: [String] = []
        @Flag(help: "Put it in the place of a preset of that name.")
        var replace = false
        @OptionGroup var libraryOptions: LibraryOptions
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let library = try libraryOptions.open(for: .reading)
            let source = try library.asset(withIdentifierPrefix: from).localIdentifier
            let names = only.isEmpty ? nil : only
            let preset = try await general.withHost { host in
                try host.preset(ofEditsOf: source, extensionNames: names, in: library)
            }
            try PresetCommand.folder().save(preset, as: name, replaces: replace)
            try general.output.print(preset, named: name)
        }
    }

    /// `edithost preset list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the presets, your own and those of extensions.",
            examples: """
                edithost preset list
                """)

        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let output = general.output
            let folder = try PresetCommand.folder()
            var failures: [any Error] = []
            let names = try folder.names
            for name in names {
                do {
                    try output.print(try folder.preset(named: name), named: name)
                } catch {
                    failures.append(error)
                    try output.printJSON(["name": .string(name), "error": JSONValue(error)])
                    output.failure(error, of: name)
                }
            }
            let offered = try await general.withHost { $0.offeredPresets }
            for offered in offered { try output.print(offered) }
            if names.isEmpty, offered.isEmpty { output.message("there are no presets") }
            let status = ExitStatus(failures: failures, of: names.count)
            if status != .done { throw CommandEnd(status: status) }
        }
    }

    /// `edithost preset show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the edits of a preset, or the values of an extension's.",
            examples: """
                edithost preset show faded
                edithost preset show warm --with tint
                """)

        @OptionGroup var preset: PresetArgument
        @OptionGroup var author: PresetAuthor
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            switch try await NamedPreset(preset.name, author, general) {
            case .own(let preset): try general.output.print(steps: preset.steps)
            case .offered(let offered): try general.output.print(values: offered)
            }
        }
    }

    /// `edithost preset rename`
    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Give a preset another name.",
            examples: """
                edithost preset rename faded "old album"
                """)

        @OptionGroup var preset: PresetArgument
        @Argument(help: ArgumentHelp("Its name afterwards.", valueName: "new"))
        var new: String
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let folder = try PresetCommand.folder()
            try await general.requireOwn(preset.name, in: folder)
            try folder.rename(preset.name, to: new)
            try general.output.print(try folder.preset(named: new), named: new)
        }
    }

    /// `edithost preset remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a preset. Edits that were made with it stay.",
            examples: """
                edithost preset remove faded
                """)

        @OptionGroup var preset: PresetArgument
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let folder = try PresetCommand.folder()
            try await general.requireOwn(preset.name, in: folder)
            try folder.remove(preset.name)
            try general.output.print(
                ["name": .string(preset.name)], "removed \(preset.name)")
        }
    }

    /// `edithost preset import`
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Take in a preset that somebody has shared.",
            examples: """
                edithost preset import faded.json
                edithost preset import faded.json --as "old album"
                """)

        @Argument(help: ArgumentHelp("The preset's file.", valueName: "file"), completion: .file())
        var file: String
        @Option(
            name: .customLong("as"),
            help: ArgumentHelp(
                "The preset's name; without it the file's, without the ending.",
                valueName: "name"))
        var name: String?
        @Flag(help: "Put it in the place of a preset of that name.")
        var replace = false
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            let preset = try EditPreset(file: file)
            let own = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            let name = name ?? own
            try PresetCommand.folder().save(preset, as: name, replaces: replace)
            try general.output.print(preset, named: name)
        }
    }

    /// `edithost preset export`
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write a preset into a file, to share it.",
            discussion: """
                Of an extension's preset the extension makes the recipe; parameters that it does not name \
                have their default values in it.
                """,
            examples: """
                edithost preset export faded faded.json
                edithost preset export warm warm.json --with tint --replace
                """)

        @OptionGroup var preset: PresetArgument
        @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
        var file: String
        @OptionGroup var author: PresetAuthor
        @Flag(help: "Put it in the place of a file that is there.")
        var replace = false
        @OptionGroup var general: GeneralOptions

        func run() async throws {
            try PhotoLibrary.requireOutsideLibraries(file)
            switch try await NamedPreset(preset.name, author, general) {
            case .own(let own):
                try own.write(toFile: file, replaces: replace)
                try general.output.print(own, named: preset.name)
            case .offered(let offered):
                let recipe = try await general.withHost { try await $0.recipe(of: offered) }
                try recipe.write(toFile: file, replaces: replace)
                try general.output.print(offered)
            }
        }
    }
}

/// Which preset.
struct PresetArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The preset's name.", valueName: "name"))
    var name: String
}

extension Output {
    /// Prints a preset.
    fileprivate func print(_ preset: EditPreset, named name: String) throws {
        let extensions = preset.steps.map(\.extensionIdentifier)
        try print(
            [
                "name": .string(name), "extensions": .array(extensions.map { .string($0) }),
                "isOwn": true,
            ],
            "\(name)  \(extensions.joined(separator: ", "))")
    }
}
