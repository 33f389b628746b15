// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import Library

/// The command `edithost extensions list`.
struct ListExtensionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the installed extensions.",
        discussion: """
            No extension code is loaded. With --for, extensions that declare the format of the \
            photo's last recipe are loaded to find out whether they can continue that edit.
            """,
        examples: """
            edithost extensions list
            edithost extensions list --for 3f2a
            """)

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Show which extensions can edit this photo.", valueName: "id"),
        completion: .asset)
    var id: String?

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        if let id {
            try await listAnswers(for: id)
        } else {
            try await general.withHost(list)
        }
    }

    private func list(_ host: ExtensionHost) throws {
        let output = general.output
        let extensions = host.extensions.catalogue.all
        var table = TextTable(["identifier", "name", "version", "trusted", "status", "path"])
        for found in extensions {
            let installed = host.extensions.examined(found)
            let trustStatus = host.extensions.status(of: installed)
            let reason = installed.reason.map { ": \($0)" } ?? ""
            let status =
                trustStatus?.isQuarantined == true ? "quarantined" : installed.status.rawValue
            try output.printJSON(
                installed.row(reason: installed.reason).adding(trustStatus?.row)
                    .adding(installed.manifest?.catalogueRow))
            table.add(
                installed.names + [trustStatus?.trustText ?? "-", status + reason, installed.path])
        }
        try output.printText(extensions.isEmpty ? ["no extensions"] : table.lines)
    }

    private func listAnswers(for id: String) async throws {
        let library = try libraryOptions.open(for: .reading)
        let identifier = try library.asset(named: id).localIdentifier
        let answers = try await general.withHost(interruption: Interruption()) { host in
            try await host.answers(for: identifier, in: library)
        }
        var table = TextTable(["identifier", "name", "version", "supported", "can handle", "why"])
        for answer in answers {
            try general.output.printJSON(
                answer.installed.row(reason: answer.reason)
                    .adding(["supported": answer.isSupported, "canHandle": answer.canHandle]))
            table.add(
                answer.installed.names + [
                    answer.isSupported ? "yes" : "no",
                    answer.canHandle.map { $0 ? "yes" : "no" } ?? "-", answer.reason,
                ])
        }
        try general.output.printText(answers.isEmpty ? ["no extensions"] : table.lines)
    }
}
