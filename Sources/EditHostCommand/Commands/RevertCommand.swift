// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The command `edithost revert`.
struct RevertCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Revert photos to their originals.",
        discussion: """
            Several photos are reverted in one transaction: either all of them or none. Until the \
            photo is edited again, "undo" restores the previous state, and "redo" restores the \
            first edit.
            """,
        examples: """
            edithost revert 3f2a
            edithost revert 3f2a 9c41
            edithost revert --album Summer
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let run = UndoRedoRun(verb: "reverting", canMove: { $0.position > 0 }) {
            host, identifiers, library, _, outcome in
            try await host.revert(identifiers, in: library, outcome: outcome)
        } line: {
            try $0.line(of: $1, unmoved: "nothing to revert: this is the original")
        }
        try await run.run(assets, libraryOptions, general)
    }
}
