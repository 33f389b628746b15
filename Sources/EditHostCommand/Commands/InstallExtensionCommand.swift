// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel

/// The command `edithost extensions install`.
struct InstallExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Install an extension into your own extension folder.",
        discussion: """
            The extension is a folder, or an archive made by edithost extensions package: a file \
            or an https URL, which curl downloads. Archives with anything other than regular files \
            in one folder are rejected. If the file NAME.minisig beside an archive is a valid \
            signature of a trusted publisher, the extension is trusted, unless you already trust a \
            build of it that another publisher signed, or that you trusted yourself. The manifest \
            is checked, and the library is loaded once in a separate sandboxed process. An \
            extension is not installed if it cannot be used, if its code lacks a parameter \
            declared in its manifest, or if another one with its identifier would shadow it. \
            Unknown manifest keys are ignored with a warning. Only regular files and folders are \
            copied; anything else is rejected. With --replace, the recipes in the library are \
            compared with the formats that the new version declares. If it cannot read some of \
            them, the command asks for confirmation at a terminal, and fails without one.
            """,
        examples: """
            edithost extensions install Brightness.editingextension
            edithost extensions install --replace Brightness.editingextension
            edithost extensions install Look-1.0.editingextension.tar.gz
            edithost extensions install https://example.org/Look-1.0.tar.gz
            """)

    @Argument(
        help: ArgumentHelp(
            "A folder named Name.editingextension, a folder that contains one, or an archive.",
            valueName: "path|url"),
        completion: .file())
    var path: String

    @Option(help: "The SHA-256 that the archive must have.")
    var sha256: SHA256Digest?

    @Flag(help: "Replace an installed extension with the same identifier.")
    var replace = false

    @Flag(help: "Do not ask if the new version cannot read recipes in the library.")
    var force = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await ExtensionInstallation(
            path: path, sha256: sha256, replace: replace, force: force,
            libraryOptions: libraryOptions, general: general
        ).run()
    }
}
