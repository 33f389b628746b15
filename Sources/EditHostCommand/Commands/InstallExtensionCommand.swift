// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Library
import RunnerHost

/// `edithost extensions install`
struct InstallExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Install an extension into your own extension folder.",
        discussion: """
            The manifest is checked, and the library is loaded once in a separate sandboxed \
            process. An extension is not installed if it cannot be used, if its code lacks a \
            parameter declared in its manifest, or if another one with its identifier would shadow it. \
            Unknown manifest keys are ignored with a warning. Only regular files and folders are \
            copied; anything else is refused. With --replace, the recipes in the library are compared \
            with the formats that the new version declares. If it cannot read some of them, you are \
            asked at a terminal whether to replace it; without one, the command fails.
            """,
        examples: """
            edithost extensions install Brightness.editingextension
            edithost extensions install --replace Brightness.editingextension
            """)

    @Argument(
        help: ArgumentHelp("A folder named Name.editingextension.", valueName: "path"),
        completion: .directory)
    var path: String

    @Flag(help: "Replace an installed extension with the same identifier.")
    var replace = false

    @Flag(help: "Do not ask if the new version cannot read recipes in the library.")
    var force = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let folder = HostConfiguration.userExtensionFolder(
            environment: ProcessInfo.processInfo.environment)
        let recipes = try storedRecipes(replacingIn: folder)
        if let recipes, recipes.unreadable > 0, !force { try confirm(losing: recipes.unreadable) }
        let installed = try await general.withHost(interruption: Interruption()) { host in
            try await host.install(path, into: folder, replacing: replace)
        }
        try general.output.print(
            installed.row(reason: installed.reason),
            "installed \(installed.identifier) in \(installed.path)")
        if let recipes { report(recipes, installed.identifier) }
    }

    /// Returns what the new version means for the library's recipes; nil if there is no library, or if nothing is
    /// replaced.
    ///
    /// - Parameter folder: The folder that it is installed into.
    private func storedRecipes(replacingIn folder: String) throws -> StoredRecipes? {
        guard replace, let manifest = ExtensionCatalogue.examine(path).manifest,
            let installed = ExtensionCatalogue(searching: [folder]).all.first(where: {
                $0.identifier == manifest.identifier
            })?.manifest,
            libraryOptions.library != nil
                || FileManager.default.fileExists(atPath: libraryOptions.path)
        else { return nil }
        do {
            return try StoredRecipes(
                for: manifest, replacing: installed, in: libraryOptions.open(for: .reading))
        } catch let error as LibraryError where libraryOptions.library == nil {
            // Extensions can be installed without a usable library.
            general.output.message("the recipes in the library were not checked: \(error)")
            return nil
        }
    }

    /// Asks at the terminal whether to replace a version although edits cannot be changed afterwards.
    ///
    /// - Throws: `HostError` if there is no terminal; `CommandEnd` if the answer is no.
    private func confirm(losing recipes: Int) throws {
        let consequence =
            "\(recipes.counted("recipe")) of this extension in \(libraryOptions.path) are in formats "
            + "that the version in \(path) does not read, so those edits could not be changed or "
            + "rendered again"
        guard TerminalQuestion.canBeAsked else {
            throw HostError(
                .badRequest, "\(consequence); use --force to replace it anyway")
        }
        general.output.message(consequence)
        guard TerminalQuestion.ask("Replace it anyway?") == true else {
            throw CommandEnd(status: .interrupted, message: "nothing was installed")
        }
    }

    private func report(_ recipes: StoredRecipes, _ identifier: String) {
        if recipes.waiting > 0 {
            general.output.message(
                "\(recipes.waiting.counted("photograph")) have recipes in an older format; run "
                    + "edithost extensions upgrade \(identifier) to rewrite them")
        }
        if recipes.unreadable > 0 {
            general.output.message(
                "\(recipes.unreadable.counted("recipe")) cannot be changed or rendered again with "
                    + "this version")
        }
    }
}
