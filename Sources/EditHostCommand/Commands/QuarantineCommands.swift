// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost extensions quarantine`
struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "List and release extensions that failed repeatedly.",
        discussion: """
            An extension that crashes, hangs or violates the contract \(Quarantine.limit) times \
            without a success in between is quarantined: it is not run until you release it or \
            install another build. Failures are counted for each library, because its recipes and \
            pictures may be the cause. An extension quarantined for \(Quarantine.libraryLimit) \
            libraries is not run for any.
            """,
        examples: """
            edithost extensions quarantine list
            edithost extensions quarantine release brightness
            """,
        subcommands: [ListQuarantineCommand.self, ReleaseExtensionCommand.self])
}

/// `edithost extensions quarantine list`
struct ListQuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List extensions that have failed since their last success.",
        examples: """
            edithost extensions quarantine list
            """)

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let entries = try await general.withHost { $0.quarantine.entries }
        let output = general.output
        var table = TextTable(
            ["identifier", "quarantined", "failures", "library", "date", "last failure"],
            rightColumns: [2])
        for entry in entries {
            try output.printJSON([
                "identifier": .string(entry.identifier),
                "digest": .string(entry.digest.hex),
                "libraryHash": .string(entry.libraryHash.hex),
                "library": JSONValue(entry.library),
                "quarantined": .boolean(entry.isQuarantined),
                "failures": .integer(entry.failures), "date": .string(entry.date),
                "reason": .string(entry.reason),
            ])
            table.add([
                entry.identifier, entry.isQuarantined ? "yes" : "no", "\(entry.failures)",
                entry.library ?? "-", entry.date, entry.reason,
            ])
        }
        try output.printText(entries.isEmpty ? ["no extension has failed"] : table.lines)
    }
}

/// `edithost extensions quarantine release`
struct ReleaseExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Allow a quarantined extension to run again.",
        examples: """
            edithost extensions quarantine release brightness
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or its last part if that is unique.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let released = try await general.withHost { try $0.quarantine.release(name) }
        for entry in released {
            try general.output.print(
                ["identifier": .string(entry.identifier)], "released \(entry.identifier)")
        }
    }
}
