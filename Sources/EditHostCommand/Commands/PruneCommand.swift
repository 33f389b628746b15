// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation

/// `edithost prune`
struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove stored pictures that can be made again.",
        discussion: """
            Originals, the pictures that the photographs show now, and whatever the installed \
            extensions cannot make again, are never removed. Undoing or redoing to a state whose \
            picture was removed renders it again. Other files that nothing names, such as those of \
            deleted photographs, go to the library's trash, and are removed 30 days later.
            """,
        examples: """
            edithost prune --keep 3 --older-than 30
            edithost prune --empty-trash
            """)

    @Option(
        help: ArgumentHelp(
            "Keep so many of each photograph's newest pictures besides.", valueName: "number"))
    var keep = 0

    @Option(
        help: ArgumentHelp("Remove only what is older than so many days.", valueName: "days"))
    var olderThan: Double?

    @Flag(help: "Remove what is in the trash now, too.")
    var emptyTrash = false

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if keep < 0 { throw ValidationError("--keep must be 0 or more.") }
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
                "\(report.suspectCount) files that the database does not know were left where "
                    + "they are: so many may mean that the database is an old copy")
        }
        try general.output.print(
            [
                "renditions": .integer(report.renditionCount),
                "files": .integer(report.fileCount), "bytes": .integer(report.byteCount),
                "trashed": .integer(report.trashedCount),
                "suspects": .integer(report.suspectCount),
            ],
            "\(report.renditionCount) pictures forgotten, \(report.fileCount) files of "
                + "\(report.byteCount) bytes removed, \(report.trashedCount) taken to the trash")
    }
}
