// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import FoundationEssentials

/// The command `edithost extensions manifest`.
struct ExtensionManifestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Print the manifest that a library generates from its code.",
        discussion: """
            Use this for extensions in Swift that declare their parameters in code with \
            @Parameter. The library is loaded as untrusted, in its own sandboxed process. The \
            output is a complete manifest.json.
            """,
        examples: """
            edithost extensions manifest Fade.editingextension/libFade.so
            """)

    @Argument(
        help: ArgumentHelp("The extension's shared library.", valueName: "library"),
        completion: .file(extensions: ["so"]))
    var path: String

    @Option(
        help: ArgumentHelp(
            "The extension, if the library contains several.", valueName: "identifier"))
    var identifier: String?

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let manifest = try await general.withHost(interruption: Interruption()) { host in
            try await host.manifest(ofLibrary: path, identifier: identifier)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !general.output.isJSON { encoder.outputFormatting.insert(.prettyPrinted) }
        try general.output.print(
            document: String(decoding: try encoder.encode(manifest), as: UTF8.self))
    }
}
