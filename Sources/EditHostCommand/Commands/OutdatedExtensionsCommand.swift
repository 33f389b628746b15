// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput

/// The command `edithost extensions outdated`.
struct OutdatedExtensionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outdated",
        abstract: "List extensions for which an index has a newer version.",
        discussion: """
            Only extensions in your own extension folder are listed. Versions are ordered as in \
            Semantic Versioning: 1.10 is newer than 1.9, and 1.10-beta is older than 1.10. Nothing \
            is installed.
            """,
        examples: """
            edithost extensions outdated --index https://example.org/index.json
            """)

    @OptionGroup var source: ExtensionIndexOptions
    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let source = source
        let updates = try await Interruption().run { try await source.updates() }
        var table = TextTable(["identifier", "installed", "available", "archive"])
        for (installed, entry) in updates {
            let version = installed.manifest?.version ?? "-"
            try general.output.printJSON([
                "identifier": entry.identifier, "installedVersion": version,
                "version": entry.version, "url": entry.location, "sha256": entry.sha256.hex,
            ])
            table.add([entry.identifier, version, entry.version, entry.location])
        }
        try general.output.printText(updates.isEmpty ? ["no newer versions"] : table.lines)
    }
}
