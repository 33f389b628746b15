// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import JSONOutput
import Library

/// The command `edithost extensions usage`.
struct ExtensionUsageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage",
        abstract: "List the edits, photos and recipe formats that depend on extensions.",
        discussion: """
            Photos whose extension is missing keep their pictures and recipes; "list \
            --edited-by" lists them. Undone edits are included until the next edit.
            """,
        examples: """
            edithost extensions usage
            edithost extensions usage sepia
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension, installed or not: its identifier, or its last part.",
            valueName: "extension"),
        completion: .editor)
    var name: String?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        let wanted = name.map { ExtensionName($0) }
        let usage = try library.extensionUsage().filter {
            wanted?.matches($0.extensionIdentifier) ?? true
        }
        let output = general.output
        let table = try await general.withHost { host in
            var table = TextTable(
                ["extension", "version", "recipes", "edits", "photos", "installed"],
                rightColumns: [3, 4])
            for item in usage {
                let status = host.status(ofExtension: item.extensionIdentifier)
                try output.printJSON([
                    "extension": item.extensionIdentifier, "version": item.extensionVersion,
                    "formatIdentifier": item.formatIdentifier, "formatVersion": item.formatVersion,
                    "edits": item.editCount, "assets": item.assetCount,
                    "installedVersion": status.version, "unusable": status.reason,
                ])
                table.add([
                    item.extensionIdentifier, item.extensionVersion,
                    "\(item.formatIdentifier) \(item.formatVersion)", "\(item.editCount)",
                    "\(item.assetCount)",
                    [status.version, status.reason].compactMap { $0 }.joined(separator: ", "),
                ])
            }
            return table
        }
        guard !usage.isEmpty else {
            return output.message(
                name.map { "no edit depends on \($0)" } ?? "no edit depends on an extension")
        }
        try output.printText(table.lines)
    }
}

extension ExtensionHost {
    /// Returns the version of an installed extension, and the reason if it cannot run.
    fileprivate func status(ofExtension identifier: String) -> (version: String?, reason: String?) {
        let installed = extensions.catalogue.all.first { $0.identifier == identifier }
        do {
            let binary = try extensions.binary(identifier: identifier)
            return (binary.manifest.version, nil)
        } catch {
            let message = (error as? HostError)?.message ?? "\(error)"
            return (installed?.manifest?.version, installed == nil ? "missing" : message)
        }
    }
}
