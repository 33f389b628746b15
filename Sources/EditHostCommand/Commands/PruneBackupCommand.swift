// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import JSONOutput
import Library

/// The command `edithost backup prune`.
struct PruneBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove old snapshots from a backup.",
        discussion: """
            --keep 7d,4w,12m keeps the newest snapshot of each of the last 7 days, 4 weeks and 12 \
            months with snapshots; days begin at midnight, local time, and weeks on Monday. Other \
            snapshots are removed, with the files that only they need. The last backup is always \
            kept.
            """,
        examples: """
            edithost backup prune /media/disk/Photos.backup --keep 7d,4w,12m
            edithost backup prune /media/disk/Photos.backup --keep 10 --dry-run
            """)

    @Argument(
        help: ArgumentHelp("The backup's folder.", valueName: "folder"), completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "The numbers of snapshots to keep: d, w, m or y for days, weeks, months or years; a "
                + "plain number for the newest ones.", valueName: "numbers"))
    var keep: SnapshotRetention

    @Flag(help: "Print what would be removed, and remove nothing.")
    var dryRun = false

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let keep = keep
        let report = try PhotoLibrary.removeSnapshots(ofBackupAt: folder, isDryRun: dryRun) {
            snapshots in
            let kept = keep.kept(of: snapshots.map(\.date))
            return snapshots.filter { !kept.contains($0.date) }
        }
        for snapshot in report.removed where !general.output.isJSON {
            let verb = dryRun ? "would remove" : "removed"
            try general.output.printText(["\(snapshot.date.tableText)  \(verb)"])
        }
        let files = report.fileCount.counted("file")
        try general.output.print(
            [
                "removed": report.removed.map(\.date.universalText), "kept": report.keptCount,
                "files": report.fileCount, "bytes": report.byteCount, "dryRun": dryRun,
            ],
            "\(report.removed.count.counted("snapshot")) and \(files) "
                + "(\(report.byteCount.byteText)) \(dryRun ? "would be removed" : "removed"), "
                + "\(report.keptCount.counted("snapshot")) kept")
    }
}
