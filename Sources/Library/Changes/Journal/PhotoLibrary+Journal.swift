// SPDX-License-Identifier: Apache-2.0

import GRDB

extension PhotoLibrary {
    /// A state of an asset's edits to which an undo returns.
    package struct UndoneState: Hashable, Sendable {
        /// The identifier of the asset.
        package let identifier: String
        let state: JournalState

        /// The position of the state; 0 is the original.
        package var position: Int { state.position }
        /// The identifier of the last edit; nil for the original.
        package var edit: String? { state.edit }
    }

    /// Returns the entries of the journal, the newest first. `prune` removes changes that are older
    /// than 90 days.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of entries; nil for all.
    ///   - entry: An entry; it and newer ones are left out.
    /// - Throws: `LibraryError` if the database cannot be read.
    package func journal(
        limit: Int? = nil, before entry: JournalEntry.Identifier? = nil
    ) throws -> [JournalEntry] {
        try read { database in
            let reader = JournalReader(database: database)
            let undone = try reader.undone()
            return try reader.spans(limit: limit, before: entry?.number ?? .max).map {
                try reader.entry($0, undone: undone)
            }
        }
    }

    /// Returns the entry to which a change belongs.
    ///
    /// - Throws: `LibraryError` with `noSuchEntry`.
    package func journalEntry(_ identifier: JournalEntry.Identifier) throws -> JournalEntry {
        try read { database in
            let reader = JournalReader(database: database)
            return try reader.entry(reader.span(identifier), undone: reader.undone())
        }
    }

    /// Returns the last entry that ``undo(_:rendered:)`` would change anything for. Entries of
    /// undos, and those that are undone, are left out.
    ///
    /// - Parameters:
    ///   - command: The name of a command whose entries are left out too.
    ///   - entry: An entry; it and newer ones are left out.
    ///   - skipped: Called with each newer entry of a command that has nothing to restore, with the
    ///     name of the command, and an error if the values of the entry are invalid.
    /// - Throws: `LibraryError` if the database cannot be read.
    package func lastEntryToUndo(
        exceptOf command: String, before entry: JournalEntry.Identifier? = nil,
        skipped: (JournalEntry.Identifier, _ command: String, LibraryError?) -> Void = { _, _, _ in
        }
    ) throws -> JournalEntry? {
        try read { database in
            let reader = JournalReader(database: database)
            let undone = try reader.undone()
            let spans = try reader.spans(before: entry?.number ?? .max)
            for span in spans where span.undoes == nil && span.command != command {
                if let undo = undone[span.first], undo > span.last { continue }
                var damage: LibraryError?
                do {
                    let tokens = try reader.tokens(of: span)
                    if try reader.hasValues(tokens),
                        try !UndoPlan(tokens, database).restored.isEmpty
                    {
                        return try reader.entry(span, undone: undone)
                    }
                } catch let error as LibraryError where error.code == .damaged {
                    damage = error
                }
                // Changes from before version 17 have neither a name nor values.
                if damage != nil || span.command != nil {
                    skipped(.init(number: span.first), span.command ?? "-", damage)
                }
            }
            return nil
        }
    }

    /// Returns what an undo of an entry would restore and leave now, and the states of edits to
    /// which it would return.
    ///
    /// - Parameter unrendered: The assets whose earlier picture cannot be rendered, with the reasons.
    /// - Throws: `LibraryError` with `noSuchEntry`, and `damaged` for an invalid journal.
    package func plannedUndo(
        of identifier: JournalEntry.Identifier, unrendered: [String: String] = [:]
    ) throws -> (report: UndoReport, states: [UndoneState]) {
        try read { database in
            let plan = try Self.plan(identifier, unrendered, database)
            let states = plan.restored.compactMap { change in
                change.property == .state
                    ? JournalState(change.old).map {
                        UndoneState(identifier: change.identifier, state: $0)
                    } : nil
            }
            return (plan.report, states)
        }
    }

    private static func plan(
        _ identifier: JournalEntry.Identifier, _ unrendered: [String: String], _ database: Database
    ) throws -> UndoPlan {
        let reader = JournalReader(database: database)
        return try UndoPlan(
            reader.tokens(of: reader.span(identifier)), database, unrendered: unrendered)
    }

    /// Undoes an entry of the journal as one change: restores the values that it set, unless they
    /// have changed since. The undo is an entry itself, which can be undone.
    ///
    /// - Parameters:
    ///   - rendered: Renditions of the states of ``plannedUndo(of:unrendered:)`` that the library does not have.
    ///   - unrendered: The assets whose earlier picture cannot be rendered, with the reasons. Their
    ///     edits are left.
    /// - Returns: What was restored and left.
    /// - Throws: `LibraryError`: `noSuchEntry`; `renditionMissing` if the library does not have the
    ///   rendition of an earlier state; `damaged` for an invalid journal; the errors of
    ///   ``performChanges(_:)``.
    @discardableResult
    package func undo(
        _ identifier: JournalEntry.Identifier, rendered: [UndoneState: RenderedContent] = [:],
        unrendered: [String: String] = [:]
    ) async throws -> UndoReport {
        // Only the authorisation hook needs to know what will change.
        let planned =
            options.authorization == nil
            ? ChangeSummary()
            : try read { try Self.plan(identifier, unrendered, $0).summary }
        let request = UndoRequest(
            identifier, planned: planned, rendered: rendered, unrendered: unrendered)
        try await performChanges { try ChangeBlock.current().add(request) }
        return request.report
    }

    /// Returns what an undo of an entry would restore and leave, as ``plannedUndo(of:unrendered:)``
    /// does. Edits whose earlier picture would have to be rendered from a missing original are left.
    package func previewedUndo(of identifier: JournalEntry.Identifier) throws -> UndoReport {
        let (report, states) = try plannedUndo(of: identifier)
        var unrendered: [String: String] = [:]
        for state in states where state.position > 0 {
            let history = try history(ofAsset: state.identifier)
            guard state.position <= history.states.count,
                storedPicture(of: history.states[state.position - 1].chain) == nil,
                let original = history.original, !isLocallyAvailable(original)
            else { continue }
            unrendered[state.identifier] = "the original \(original.originalFilename) is missing"
        }
        if unrendered.isEmpty { return report }
        return try plannedUndo(of: identifier, unrendered: unrendered).report
    }
}
