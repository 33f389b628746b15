// SPDX-License-Identifier: Apache-2.0

import EditHost
import JSONOutput
import Library

/// The undo of an entry of the journal, or a preview of it.
struct EntryUndoRun: Sendable {
    /// The maximum number of values that are reported one by one as left, and of entries as
    /// skipped.
    private static let maximumCount = 20

    let library: PhotoLibrary
    let general: GeneralOptions
    let isDryRun: Bool

    /// Undoes the last command that has anything to restore, and names the newer ones. Returns
    /// false if there is none.
    func undoLast() async throws -> Bool {
        var skipped: [String] = []
        func entry(before last: JournalEntry.Identifier? = nil) throws -> JournalEntry? {
            try library.lastEntryToUndo(exceptOf: "undo", before: last) {
                skipped.append(Self.skippedText($0, $1, $2?.message ?? "nothing to restore"))
            }
        }
        var next = try entry()
        while let found = next {
            let report = try await report(of: found)
            if !report.undone.isEmpty {
                printSkipped(skipped)
                try print(report, of: found)
                return true
            }
            let unrendered = report.left.first { $0.outcome == .unrendered }
            skipped.append(
                Self.skippedText(
                    found.identifier, found.command ?? "-",
                    unrendered?.leftReason ?? "nothing to restore"))
            next = try entry(before: found.identifier)
        }
        printSkipped(skipped)
        return false
    }

    private static func skippedText(
        _ entry: JournalEntry.Identifier, _ command: String, _ reason: String
    ) -> String { "skipped \(entry) \(command): \(reason)" }

    private func printSkipped(_ skipped: [String]) {
        for line in skipped.prefix(Self.maximumCount) { general.output.message(line) }
        let rest = skipped.count - Self.maximumCount
        if rest > 0 {
            general.output.message("skipped \(rest) other \(rest == 1 ? "entry" : "entries")")
        }
    }

    func undo(_ entry: JournalEntry) async throws { try print(await report(of: entry), of: entry) }

    /// Undoes an entry, except in a dry run.
    private func report(of entry: JournalEntry) async throws -> UndoReport {
        if isDryRun { return try library.previewedUndo(of: entry.identifier) }
        let batch = BatchRun(general, "undoing")
        // The number of pictures is not known before the entry is read.
        return try await batch.run(on: nil, jobs: JobsOption.jobs(nil, for: .max)) {
            [library, output = batch.output] host in
            try await host.undo(entry.identifier, in: library) {
                output.progress.advance(past: $0)
            }
        }
    }

    private func print(_ report: UndoReport, of entry: JournalEntry) throws {
        let output = general.output
        try output.printText([
            "\(entry.identifier)  \(entry.command ?? "-")  \(entry.date.tableText)"
        ])
        for row in output.isJSON ? report.rows : report.undone {
            try output.print(
                [
                    "entry": "\(entry.identifier)", "id": row.identifier,
                    "type": row.objectType.rawValue, "name": row.name,
                    "status": row.outcome.rawValue, "properties": row.properties,
                    "reason": row.reason, "dryRun": isDryRun,
                ],
                "\(ShortIdentifier.of(row.identifier))  "
                    + "\(isDryRun ? "would be undone" : "undone")  "
                    + "\(row.properties.joined(separator: ", "))  \(row.name)")
        }
        for row in report.left.prefix(Self.maximumCount) { output.message(row.leftText) }
        let rest = report.left.count - Self.maximumCount
        if rest > 0 { output.message("left values of \(rest.counted("other object"))") }
        if report.removedAssetCount > 0 {
            let count = report.removedAssetCount
            output.message(
                "\(count.counted("photo")) \(count == 1 ? "was" : "were") removed for good and "
                    + "cannot be restored")
        }
        if report.undone.isEmpty { output.message("nothing to undo") }
    }
}

extension UndoReport.Row {
    /// The reason why values were left.
    fileprivate var leftText: String {
        let short = ShortIdentifier.of(identifier)
        let object = name.isEmpty ? short : "\(name) (\(short))"
        return "left \(properties.joined(separator: ", ")) of \(object): \(leftReason)"
    }

    fileprivate var leftReason: String {
        switch outcome {
        case .undone: "undone"
        case .changed: "changed since"
        case .discarded: "the earlier state no longer exists"
        case .joined: "its video was a separate one before"
        case .unrendered: "cannot be rendered: \(reason ?? "unknown error")"
        case .full: "the photo has too many keywords"
        case .trashed: "the photo is in the trash"
        case .removed:
            name.isEmpty ? "removed for good" : "what it referred to was removed for good"
        }
    }
}
