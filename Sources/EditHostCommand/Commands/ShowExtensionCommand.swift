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
            Shows an installed extension, or the one in a folder, which need not be \
            installed. Labels and help are shown in your language (LANGUAGE, LC_ALL, LC_MESSAGES, \
            LANG) if the extension supports it; --json prints all languages.
            """,
        examples: """
            edithost extensions show croprotate
            edithost extensions show ./Glow.editingextension
            """)

    @Argument(
        help: ArgumentHelp(
            """
            The extension: its identifier, or its last part if that is unique; or a folder named \
            Name.editingextension, or a folder that contains one.
            """, valueName: "extension|path"),
        completion: .installedExtension)
    var name: String

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let installed = host.extensions.examined(try found(among: host.extensions.catalogue))
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

    /// Returns the extension with the given name. A folder takes precedence only if its path cannot be a name.
    private func found(among catalogue: ExtensionCatalogue) throws -> InstalledExtension {
        do {
            if !isPath { return try catalogue.installed(named: name) }
        } catch let error as HostError where error.code == .noSuchExtension {
            guard isFolder else { throw error }
        }
        return ExtensionCatalogue.examine(try ExtensionTrial.extensionFolder(in: name))
    }

    private var isPath: Bool {
        name.utf8.contains(UInt8(ascii: "/")) || name.hasSuffix(".editingextension") && isFolder
    }

    private var isFolder: Bool {
        var isFolder = ObjCBool(false)
        return FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
            && isFolder.boolValue
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
