// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Foundation
import JSONOutput
import RunnerHost

/// The command `edithost extensions show`.
struct ShowExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the manifest and parameters of an extension.",
        discussion: """
            Labels and help are shown in your language (LANGUAGE, LC_ALL, LC_MESSAGES, LANG) if \
            the extension supports it; --json prints all languages.
            """,
        examples: """
            edithost extensions show croprotate
            """)

    @OptionGroup var chosen: ExtensionArgument
    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let installed = host.extensions.examined(
                try host.extensions.catalogue.installed(named: chosen.name))
            let trustStatus = host.extensions.status(of: installed)
            let facts = installed.row(reason: installed.reason).adding(trustStatus?.row)
            let output = general.output
            let manifest = installed.manifest
            let languages = UserLanguages.preferred(in: ProcessInfo.processInfo.environment)
            try output.printJSON(facts.adding(manifest?.catalogueRow).adding(manifest?.row))
            try output.printText(
                [
                    "identifier  \(installed.identifier)", "path        \(installed.path)",
                    "trusted     \(trustStatus?.trustText ?? "-")",
                ]
                    + (installed.reason.map {
                        ["status      \(installed.status.rawValue): \($0)".printable]
                    } ?? [])
                    + (trustStatus.map { [$0.originalLine(manifest)] } ?? [])
                    + (trustStatus?.quarantineLines ?? []) + (manifest?.lines(in: languages) ?? []))
        }
    }
}

extension ExtensionStatus {
    fileprivate func originalLine(_ manifest: ExtensionManifest?) -> String {
        if mayReadOriginals { return "originals   may be read" }
        let asks = manifest?.readsOriginal ?? false
        return "originals   may not be read"
            + (asks ? "; to allow it, run edithost extensions allow-original" : "")
    }

    fileprivate var quarantineLines: [String] {
        guard let failures else { return [] }
        let state = isQuarantined ? "in quarantine after" : "not in quarantine, but"
        return ["quarantine  \(state) \(failures.failures) failures: \(failures.reason)".printable]
    }
}

extension ExtensionManifest {
    fileprivate func lines(in languages: [String]) -> [String] {
        [
            "name        \(name)",
            "version     \(version)",
            "contract    \(abi)",
            "edits       \(supportedMediaTypes.map(\.name).joined(separator: ", "))",
            "reads       \(reads.map(\.text).joined(separator: ", "))",
            "writes      \(writes.map(\.text).joined(separator: ", "))",
        ] + catalogueLines(in: languages) + parameterLines(in: languages)
            + presetLines(in: languages)
    }
}
