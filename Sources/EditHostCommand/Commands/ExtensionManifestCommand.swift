// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import FoundationEssentials

/// `edithost extensions manifest`
struct ExtensionManifestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Print the manifest that a library makes of its own code.",
        discussion: """
            For authors of extensions in Swift, who declare parameters once, in the code, with \
            @Parameter. The library is loaded and asked in a process of its own, as one that nobody \
            trusts. What is printed is a whole manifest.json.
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
            "Which extension is meant, of a library that serves several.", valueName: "identifier"))
    var identifier: String?

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let manifest = try await general.withHost { host in
            try await Interruption().run {
                try await host.manifest(ofLibrary: path, identifier: identifier)
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !general.output.isJSON { encoder.outputFormatting.insert(.prettyPrinted) }
        try general.output.print(
            document: String(decoding: try encoder.encode(manifest), as: UTF8.self))
    }
}
