// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The command `edithost extensions new`.
struct NewExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create the source folder of a new extension.",
        discussion: """
            The folder contains the sources, a test and a Makefile. The extension multiplies \
            the pixels by a factor and adds a number. make builds it and generates its manifest, \
            make test tests it, make debug runs the test under gdb, and make install installs \
            the extension. These targets need the development files that edithost's own make \
            install installs.
            """,
        examples: """
            edithost extensions new Glow
            edithost extensions new Glow --language c --identifier org.example.glow
            edithost extensions new Glow --language rust
            """)

    @Argument(
        help: ArgumentHelp(
            "The name of the extension and of the folder: letters and digits.",
            valueName: "name"))
    var name: String

    @Option(help: "The programming language: swift, c, cpp or rust.")
    var language = ExtensionTemplate.Language.swift

    @Option(
        help: ArgumentHelp(
            "The identifier in reverse-DNS form (default: com.example.NAME).",
            valueName: "identifier"))
    var identifier: String?

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let template = try ExtensionTemplate(
            name: name, identifier: identifier, language: language)
        try template.write(to: name)
        try general.output.print(
            ["identifier": template.identifier, "path": name],
            "wrote \(template.identifier) to \(name); run make there to build it")
    }
}

extension ExtensionTemplate.Language: ExpressibleByArgument {}
