// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import JSONOutput
import RunnerHost

/// The command `edithost extensions update`.
struct UpdateExtensionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Replace extensions with newer versions from an index.",
        discussion: """
            Each archive must have the SHA-256 in the index, and is checked and loaded once before \
            it replaces the installed version, in the same way as by extensions install --replace. \
            It is trusted only if a trusted publisher has signed it. A trusted extension is not \
            replaced by a version that would be untrusted, nor is an extension whose new version \
            cannot read recipes in the library. If one extension fails, the others are still \
            updated.
            """,
        examples: """
            edithost extensions update --index https://example.org/index.json
            edithost extensions update look --index dist
            """)

    @Argument(
        help: ArgumentHelp(
            "The extensions (default: all that are outdated).", valueName: "extension"),
        completion: .installedExtension)
    var names: [String] = []

    @OptionGroup var source: ExtensionIndexOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let source = source
        let updates = try await Interruption().run { try await source.updates() }
        let chosen = try chosen(among: updates.map(\.installed))
        var failures: [any Error] = []
        for (installed, entry) in updates where chosen.contains(installed.identifier) {
            do {
                try await ExtensionInstallation(
                    path: entry.location, sha256: entry.sha256, entry: entry,
                    replace: true, libraryOptions: libraryOptions, general: general
                ).run()
            } catch let error as HostError where error.code != .cancelled {
                general.output.message("\(error)")
                failures.append(error)
            }
        }
        if chosen.isEmpty { try general.output.printText(["no newer versions"]) }
        let status = ExitStatus(failures: failures, of: chosen.count)
        if status != .done { throw CommandEnd(status: status) }
    }

    /// Returns the identifiers of the named extensions, or all of them without names.
    private func chosen(among installed: [InstalledExtension]) throws -> Set<String> {
        guard !names.isEmpty else { return Set(installed.map(\.identifier)) }
        return try Set(
            names.map { name in
                guard
                    let match = try ExtensionCatalogue.match(name, among: installed).first
                else {
                    throw HostError(
                        .noSuchExtension,
                        "the index has no newer version of \"\(name)\" for your extensions")
                }
                return match.identifier
            })
    }
}
