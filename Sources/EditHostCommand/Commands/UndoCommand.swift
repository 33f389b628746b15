// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The command `edithost undo`.
struct UndoCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last edit or revert of photos.",
        discussion: """
            Undoing a revert restores the previous state. The edit can be redone until the \
            photo is edited again. The edits of several photos are undone in one transaction: \
            either all of them or none. --last undoes the last edit or revert of the library \
            for all photos that it changed, and skips those that were changed again \
            since then. Edits made with --keep-going are separate edits.
            """,
        examples: """
            edithost undo 3f2a
            edithost undo --edited-by sepia
            edithost undo --last
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Flag(help: "Undo the last edit or revert for all photos that it changed.")
    var last = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        guard last else { return try assets.validate() }
        guard assets.isEmpty else {
            throw ValidationError("--last selects the photos; leave out identifiers and filters.")
        }
    }

    func run() async throws {
        guard last else {
            return try await Self.work { try await $0.undo($1, in: $2, prepared: $3) }
                .run(assets, libraryOptions, general)
        }
        let library = try libraryOptions.open(for: .changing)
        guard let edits = try library.lastEdits() else {
            return general.output.message("nothing to do")
        }
        let undoneCount = try await Self.work { host, _, library, prepared in
            try await host.undo(edits, in: library, prepared: prepared)
        }.run(in: library, general) { _ in edits.identifiers }
        // Other processes may have changed photos in the meantime.
        let count = edits.laterCount + edits.identifiers.count - undoneCount
        guard count > 0 else { return }
        general.output.message(
            "\(count.counted("photo")) \(count == 1 ? "was" : "were") changed again or "
                + "deleted since then, and skipped")
    }

    private static func work(_ move: @escaping HistoryMoveRun.Move) -> HistoryMoveRun {
        HistoryMoveRun(verb: "undoing", canMove: \.canUndo, move: move) {
            try $0.print($1, unmoved: "nothing to undo: this is the original")
        }
    }
}
