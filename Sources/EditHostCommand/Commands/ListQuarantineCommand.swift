// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput

/// The command `edithost extensions quarantine list`.
struct ListQuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List extensions that have failed since their last success.",
        examples: """
            edithost extensions quarantine list
            """)

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let entries = try await general.withHost { $0.quarantine.entries }
        let output = general.output
        var table = TextTable(
            ["identifier", "quarantined", "failures", "library", "date", "last failure"],
            rightColumns: [2])
        for entry in entries {
            try output.printJSON([
                "identifier": entry.identifier, "digest": entry.digest.hex,
                "libraryHash": entry.libraryHash.hex, "library": entry.library,
                "quarantined": entry.isQuarantined, "failures": entry.failures, "date": entry.date,
                "reason": entry.reason,
            ])
            table.add([
                entry.identifier, entry.isQuarantined ? "yes" : "no", "\(entry.failures)",
                entry.library ?? "-", entry.date, entry.reason,
            ])
        }
        try output.printText(entries.isEmpty ? ["no extension has failed"] : table.lines)
    }
}
