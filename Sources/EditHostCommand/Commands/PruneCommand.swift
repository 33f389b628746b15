// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation
import Library

/// The command `edithost prune`.
struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove stored pictures that can be rendered again.",
        discussion: """
            Originals, current pictures, and pictures that the installed extensions cannot render \
            again are never removed. If you undo or redo to a state whose picture was removed, it \
            is rendered again. Photos that have been in the trash for \
            \(TrashPeriod.days) days are removed for good. Unreferenced files, such as \
            those of removed photos, are moved to the library's folder "trash" and removed by a \
            prune 30 days later.
            """,
        examples: """
            edithost prune --keep 3 --older-than 30
            edithost prune --empty-trash
            """)

    @Option(
        help: ArgumentHelp(
            "Also keep this many of each photo's newest pictures.", valueName: "number"))
    var keep = 0

    @Option(
        help: ArgumentHelp("Remove only pictures older than this many days.", valueName: "days"))
    var olderThan: Double?

    @Flag(help: "Empty the folder of unreferenced files now; photos in the trash are kept.")
    var emptyTrash = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if keep < 0 { throw ValidationError("--keep must be at least 0.") }
        if let olderThan, !(0.0...1e6).contains(olderThan) {
            throw ValidationError("--older-than must be a number of days, from 0 to 1000000.")
        }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .collecting)
        let date = olderThan.map { Date(timeIntervalSinceNow: -$0 * 86_400) }
        let report = try await general.withHost { host in
            try host.prune(
                library, keep: keep, olderThan: date, emptyingTrash: emptyTrash)
        }
        if report.suspectCount > 0 {
            general.output.message(
                "kept \(report.suspectCount) files unknown to the database; so many may mean "
                    + "that the database is an old copy")
        }
        try general.output.print(
            [
                "photos": report.assetCount, "renditions": report.renditionCount,
                "files": report.fileCount, "bytes": report.byteCount,
                "trashed": report.trashedCount,
                "suspects": report.suspectCount,
            ],
            Self.words(report))
    }

    private static func words(_ report: PruneReport) -> String {
        let (photos, renditions) = (report.assetCount, report.renditionCount)
        let trashed = report.trashedCount
        let parts = [
            photos > 0 ? "\(photos.counted("photo")) removed from the trash" : nil,
            renditions > 0 ? "\(renditions.counted("picture")) removed" : nil,
            "\(report.fileCount.counted("file")) removed (\(report.byteCount.byteText))",
            trashed > 0 ? "\(trashed.counted("file")) moved to the folder \"trash\"" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
