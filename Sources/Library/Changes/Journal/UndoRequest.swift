// SPDX-License-Identifier: Apache-2.0

import GRDB
import Synchronization

/// A request to undo an entry of the journal.
final class UndoRequest: ChangeRequest {
    let entry: JournalEntry.Identifier
    let rendered: [PhotoLibrary.UndoneState: RenderedContent]
    /// The assets whose earlier picture cannot be rendered, with the reasons.
    let unrendered: [String: String]
    /// The effects of the undo as planned, for the authorisation hook.
    private let planned: ChangeSummary
    private let result = Mutex<UndoReport?>(nil)

    init(
        _ entry: JournalEntry.Identifier, planned: ChangeSummary,
        rendered: [PhotoLibrary.UndoneState: RenderedContent], unrendered: [String: String]
    ) {
        self.unrendered = unrendered
        self.entry = entry
        self.planned = planned
        self.rendered = rendered
    }

    /// The report, once the change is executed.
    var report: UndoReport { result.withLock { $0 } ?? UndoReport() }

    var stagedBlobs: [StagedBlob] { rendered.values.flatMap(\.blobs) }

    func describe(in summary: inout ChangeSummary) {
        summary.removed += planned.removed
        for identifier in planned.updated { summary.addUpdated(identifier) }
        summary.insertedCollections += planned.insertedCollections
        for identifier in planned.updatedCollections { summary.addUpdatedCollection(identifier) }
        summary.removedCollections += planned.removedCollections
    }

    func apply(with executor: ChangeExecutor) throws {
        let database = executor.context.database
        let reader = JournalReader(database: database)
        let span = try reader.span(entry)
        let plan = try UndoPlan(reader.tokens(of: span), database, unrendered: unrendered)
        executor.undoneEntry = span.first
        try UndoWriter(executor: executor, plan: plan, rendered: rendered).run()
        var report = plan.report
        // An undo without a change is no entry, so its entry is not marked as undone.
        if executor.context.recorder.isEmpty { report.removeUndone() }
        result.withLock { [report] in $0 = report }
    }
}
