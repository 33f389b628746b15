// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditingModel
import Foundation
import JSONOutput
import Library
import Synchronization

/// The command `edithost restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a library from a backup.",
        discussion: """
            The library is created at its default path or at the path given by --library, which \
            must not exist. Each file's hash is verified. Run the same command again to resume an \
            interrupted restore. Without --at, the last backup is restored.
            """,
        examples: """
            edithost restore /media/disk/Photos.backup
            edithost restore /media/disk/Photos.backup --at 2026-11-28
            edithost restore /media/disk/Photos.backup --library New.editlibrary
            """)

    @Argument(
        help: ArgumentHelp("The backup's folder.", valueName: "from"), completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "Restore the newest snapshot of this date or earlier: YYYY[-MM[-DD[THH:MM[:SS]]]], "
                + "local time unless it ends with Z or an offset such as +02:00.",
            valueName: "date"))
    var at: MomentArgument?

    @Flag(help: "Also restore presets and config.json, except those that exist here.")
    var settings = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let output = general.output
        let (folder, path, settings) = (folder, libraryOptions.path, settings)
        let snapshot = try at.map(newestSnapshot)
        try PhotoLibrary.requireOutsideOthers(path)
        try libraryOptions.makeParent()
        let lacksSettings = Mutex(false)
        let report = try await output.copying("restoring", "copied") { progress in
            try PhotoLibrary.restore(from: folder, at: snapshot, to: path, progress: progress) {
                // Settings that exist are kept, so they can be restored again if this is interrupted.
                guard settings else { return }
                let haveAll = try Self.restoreSettings(of: folder, output)
                lacksSettings.withLock { $0 = !haveAll }
            }
        }
        if let snapshot {
            output.message("this is the snapshot of \(snapshot.date.tableText)")
        }
        try output.printResult(report, of: path, .restoration)
        try report.end()
        if lacksSettings.withLock(\.self) { throw CommandEnd(status: .someFailed) }
    }

    /// - Returns: Whether no setting failed.
    private static func restoreSettings(
        of folder: String, _ output: CommandOutput
    ) throws -> Bool {
        guard let configuration = GeneralOptions.standardConfiguration.configurationFolder else {
            return true
        }
        let result = try PhotoLibrary.restoreSettings(ofBackupAt: folder, to: configuration)
        let count = result.restored.count.counted("setting")
        output.message("restored \(count) to \(configuration)")
        for path in result.kept {
            output.message("kept \(path), which differs from the backup")
        }
        for failure in result.failures { output.message(ExitStatus.words(for: failure)) }
        return result.failures.isEmpty
    }

    /// The precision of a moment in seconds. Tables show whole seconds, and JSON milliseconds.
    private static func precision(of moment: MomentArgument) -> Double {
        let seconds = moment.start.timeIntervalSince1970
        return seconds == seconds.rounded() ? 1 : 0.0005
    }

    /// Returns the newest snapshot that is not later than a moment, or the end of a period. A snapshot with exactly
    /// the given date takes precedence over later ones in the same second.
    ///
    /// - Throws: `LibraryError`; `CommandEnd` with `notFound` if all are later.
    private func newestSnapshot(notAfter moment: MomentArgument) throws -> BackupSnapshot {
        let snapshots = try PhotoLibrary.snapshots(ofBackupAt: folder)
        let end = moment.end > moment.start ? moment.end : moment.start + Self.precision(of: moment)
        let (start, limit) = (local(moment.start, moment), local(end, moment))
        if let exact = snapshots.first(where: { abs($0.date.timeIntervalSince(start)) < 0.0005 }),
            moment.end == moment.start
        {
            return exact
        }
        guard let snapshot = snapshots.last(where: { $0.date < limit }) else {
            let first = snapshots.first.map { "; the first is of \($0.date.tableText)" } ?? ""
            throw CommandEnd(
                status: .notFound,
                message: "\(folder) has no snapshot of this date or an earlier one\(first)")
        }
        return snapshot
    }

    private func local(_ date: Date, _ moment: MomentArgument) -> Date {
        CaptureDate(date: date, offset: moment.offset).localDate
    }
}
