// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput

/// Prints the events and the result of `edithost work commit`.
final class WorkCommitTally: Sendable {
    private let batch: BatchRun
    private var output: CommandOutput { batch.output }

    init(_ batch: BatchRun) { self.batch = batch }

    /// Prints an event.
    func add(_ event: WorkCommitEvent) throws {
        switch event {
        case .committed(let assets):
            for asset in assets {
                try output.printJSON(["id": asset, "status": "committed"])
                batch.finish(asset)
            }
        case .present(let asset):
            try output.printJSON(["id": asset, "status": "present"])
            batch.finish(asset, isKept: false)
        case .left(let asset, let status):
            try output.printJSON(["id": asset, "status": status.rawValue])
            batch.finish(asset, isKept: false)
        case .damaged(let asset, let attempt, let reason):
            try output.printJSON(Self.row("damaged", asset, attempt, reason))
            message("\(Self.words(attempt)): damaged result\(Self.of(asset)): \(reason)")
        case .differing(let asset, let attempts):
            try output.printJSON([
                "id": asset, "status": "differing", "attempts": attempts.map(\.name),
                "nodes": attempts.compactMap(\.node),
            ])
            message("the results\(Self.of(asset)) differ: \(Self.words(attempts))")
        case .auditFailed(let asset, let attempt, let taken):
            let row = Self.row("auditFailed", asset, attempt, "other bytes are rendered here")
            try output.printJSON(row.adding(["taken": taken]))
            message(Self.words(auditOf: asset, attempt, taken))
        case .notAudited(let asset, let error):
            let words = ExitStatus.words(for: error)
            try output.printJSON(["id": asset, "status": "notAudited", "reason": words])
            message("\(asset): cannot be audited: \(words)")
        case .unreadable(let shard, let error):
            let words = ExitStatus.words(for: error)
            try output.printJSON(["shard": shard, "status": "unreadable", "reason": words])
            message("shard \(shard): \(words)")
        }
    }

    private func message(_ text: String) { if !output.isJSON { output.message(text) } }

    private static func row(
        _ status: String, _ asset: String?, _ attempt: WorkCommitEvent.Attempt, _ reason: String
    ) -> JSONRow {
        [
            "id": asset, "status": status, "shard": attempt.shard, "attempt": attempt.name,
            "node": attempt.node, "reason": reason,
        ]
    }

    private static func words(_ attempt: WorkCommitEvent.Attempt) -> String {
        "attempt \(attempt.name) at shard \(attempt.shard)"
            + (attempt.node.map { " on \($0)" } ?? "")
    }

    private static func words(_ attempts: [WorkCommitEvent.Attempt]) -> String {
        attempts.map(words).joined(separator: ", ")
    }

    private static func of(_ asset: String?) -> String {
        asset.map { " of \(ShortIdentifier.of($0))" } ?? ""
    }

    private static func words(
        auditOf asset: String, _ attempt: WorkCommitEvent.Attempt, _ taken: [String]
    ) -> String {
        let list =
            taken.isEmpty
            ? "nothing was taken from it"
            : "taken from it before: \(taken.joined(separator: " ")); render these again"
        return "\(words(attempt)): the result\(of(asset)) differs from what is rendered here. "
            + "Nothing more is taken from this attempt; \(list)"
    }

    /// Prints the numbers of results, and ends the command with their status.
    func end(_ summary: WorkCommitSummary, of folder: String) throws {
        let parts = Self.parts(summary)
        let row = JSONRow(parts.map { ($0.key, $0.count) })
        let shown = parts.filter { $0.count > 0 || $0.isAlwaysShown }
        try output.print(row, shown.map { "\($0.count) \($0.words)" }.joined(separator: ", "))
        if summary.auditFailures > 0 || summary.refused > 0 {
            throw CommandEnd(
                status: .badData,
                message: "attempts that failed an audit are ignored; make a new plan")
        }
        if summary.notTried > 0 {
            let pending = "edithost work status \(ShellWord.quoted(folder)) --pending"
            message(
                "\(summary.notTried.counted("photo")) not tried, because an extension was "
                    + "quarantined; resubmit the shards that \(pending) prints")
        }
        let problems =
            summary.damaged + summary.differing + summary.notAudited + summary.failed
            + summary.unreadable + summary.notTried
        if problems > 0 { throw CommandEnd(status: .someFailed) }
    }

    private static func parts(
        _ summary: WorkCommitSummary
    ) -> [(key: String, words: String, count: Int, isAlwaysShown: Bool)] {
        [
            ("committed", "committed", summary.committed, true),
            ("present", "already in the library", summary.present, true),
            ("edited", "edited since", summary.edited, false),
            ("deleted", "deleted since", summary.deleted, false),
            ("otherExtension", "of another extension", summary.otherExtension, false),
            ("damaged", "damaged", summary.damaged, false),
            ("differing", "with differing results", summary.differing, false),
            ("auditFailed", "failed the audit", summary.auditFailures, false),
            ("refused", "of rejected attempts", summary.refused, false),
            ("notAudited", "not audited", summary.notAudited, false),
            ("failed", "failed on nodes", summary.failed, true),
            ("unreadable", "unreadable shards", summary.unreadable, false),
            ("pending", "pending", summary.pending, true),
            ("notTried", "of these not tried", summary.notTried, false),
        ]
    }
}
