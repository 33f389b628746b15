// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The command `edithost undo`.
struct UndoCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last edit or the revert of photos.",
        discussion: """
            After a revert, the state before it is restored. The edit can be redone until the \
            photo is edited again. The edits of several photos are undone in one transaction: \
            either all of them or none.
            """,
        examples: """
            edithost undo 3f2a
            edithost undo --edited-by sepia
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions
    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let run = HistoryMoveRun(verb: "undoing", canMove: \.canUndo) {
            try await $0.undo($1, in: $2, prepared: $3)
        } print: {
            try $0.print($1, unmoved: "nothing to undo: this is the original")
        }
        try await run.run(assets, libraryOptions, general)
    }
}
