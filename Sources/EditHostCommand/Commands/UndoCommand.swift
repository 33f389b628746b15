// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Library

/// The command `edithost undo`.
struct UndoCommand: AssetCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last edit or revert of photos, or a whole command.",
        discussion: """
            With photos: undoing a revert restores the previous state, and the edit can be redone \
            until the photo is edited again. The edits of several photos are undone in one \
            transaction: either all of them or none.

            With --last or an entry of "log", such as @1042: undoes everything that the command \
            changed, such as ratings, keywords, albums, deletions and edits, in one transaction. \
            Values that have changed since are left and reported. Imported photos are moved to the \
            trash. An undo is an entry too, and can be undone. --last undoes the last command that \
            is neither undone nor an undo; run it again to undo the one before. Newer commands \
            with nothing to restore are named. "prune" removes commands that are older than 90 days.
            """,
        examples: """
            edithost undo 3f2a
            edithost undo --edited-by sepia
            edithost undo --last --dry-run
            edithost undo @1042
            """)

    @OptionGroup var named: NamedAssets
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @OptionGroup(title: "Order") var order: OrderOptions

    @Flag(help: "Undo the last command that changed the library.")
    var last = false

    @Flag(help: "With --last or an entry: print what would be undone and left.")
    var dryRun = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if last {
            guard assets.isEmpty else {
                throw ValidationError("--last selects the command; leave out other selections.")
            }
            return
        }
        try assets.validate()
        guard let entry = named.ids.first(where: { $0.hasPrefix("@") }) else {
            guard !dryRun else { throw ValidationError("--dry-run needs --last or an entry.") }
            return
        }
        guard named.ids.count == 1 else {
            throw ValidationError("Give one entry of the log, without photos.")
        }
        guard JournalEntry.Identifier(entry) != nil else {
            throw ValidationError("\(entry) is not an entry of the log, such as @1042.")
        }
    }

    func run() async throws {
        let entry = named.ids.first.flatMap { JournalEntry.Identifier($0) }
        guard last || entry != nil else {
            return try await Self.work { try await $0.undo($1, in: $2, prepared: $3, outcome: $4) }
                .run(assets, libraryOptions, general)
        }
        let library = try libraryOptions.open(for: dryRun ? .reading : .changing)
        let run = EntryUndoRun(library: library, general: general, isDryRun: dryRun)
        if let entry { return try await run.undo(try library.journalEntry(entry)) }
        if try await run.undoLast() { return }
        try await undoLastEdits(in: library)
    }

    /// Undoes the last edits of an earlier version, which had no journal.
    private func undoLastEdits(in library: PhotoLibrary) async throws {
        guard let edits = try library.lastEdits() else {
            return general.output.message("nothing to do")
        }
        guard !dryRun else {
            return general.output.message(
                "would undo the last edit of \(edits.identifiers.count.counted("photo")), made "
                    + "before the library had a journal")
        }
        let undoneCount = try await Self.work { host, _, library, prepared, outcome in
            try await host.undo(edits, in: library, prepared: prepared, outcome: outcome)
        }.run(in: library, general) { _ in edits.identifiers }
        // Other processes may have changed photos in the meantime.
        let count = edits.laterCount + edits.identifiers.count - undoneCount
        guard count > 0 else { return }
        general.output.message(
            "\(count.counted("photo")) \(count == 1 ? "was" : "were") changed again or "
                + "deleted since then, and skipped")
    }

    private static func work(_ move: @escaping UndoRedoRun.Move) -> UndoRedoRun {
        UndoRedoRun(verb: "undoing", canMove: \.canUndo, move: move) {
            try $0.line(of: $1, unmoved: "nothing to undo: this is the original")
        }
    }
}
