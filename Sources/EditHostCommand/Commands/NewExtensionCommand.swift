// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost extensions new`
struct NewExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Write a folder with an extension to begin with.",
        discussion: """
            It has a source file, a manifest and a Makefile: make builds the extension, which \
            multiplies by a factor, and make install installs it. What edithost installs for authors \
            (make install of its own) has to be there.
            """,
        examples: """
            edithost extensions new Glow
            edithost extensions new Glow --language c --identifier org.example.glow
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension's name, letters and digits; the folder is called so.",
            valueName: "name"))
    var name: String

    @Option(help: "What it is written in: swift or c.")
    var language = ExtensionTemplate.Language.swift

    @Option(
        help: ArgumentHelp(
            "The identifier in reverse DNS; com.example.NAME without it.", valueName: "identifier"))
    var identifier: String?

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let template = try ExtensionTemplate(
            name: name, identifier: identifier, language: language)
        try template.write(to: name)
        try general.output.print(
            ["identifier": .string(template.identifier), "path": .string(name)],
            "wrote \(template.identifier) to \(name); make builds it there")
    }
}

extension ExtensionTemplate.Language: ExpressibleByArgument {}
