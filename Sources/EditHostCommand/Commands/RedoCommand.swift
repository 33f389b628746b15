// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The command `edithost redo`.
struct RedoCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Redo undone edits.",
        discussion: """
            A new edit discards undone edits. The edits of several photos are redone in one \
            transaction: either all of them or none.
            """,
        examples: """
            edithost redo 3f2a
            edithost redo --all
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let run = UndoRedoRun(verb: "redoing", canMove: \.canRedo) {
            try await $0.redo($1, in: $2, prepared: $3, outcome: $4)
        } line: {
            try $0.line(of: $1, unmoved: "nothing to redo: this is the newest state")
        }
        try await run.run(assets, libraryOptions, general)
    }
}
