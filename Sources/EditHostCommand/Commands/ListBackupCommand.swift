// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import JSONOutput
import Library

/// The command `edithost backup list`.
struct ListBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the snapshots of a backup, the newest first.",
        discussion: """
            "edithost restore --at" restores one of them.
            """,
        examples: """
            edithost backup list /media/disk/Photos.backup
            """)

    @Argument(
        help: ArgumentHelp("The backup's folder.", valueName: "folder"), completion: .directory)
    var folder: String

    @OptionGroup(visibility: .hidden) var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func run() async throws {
        var table = TextTable(["date", "photos"])
        var isDamaged = false
        let snapshots = try PhotoLibrary.snapshots(ofBackupAt: folder, includesDamaged: true)
        for snapshot in snapshots.reversed() {
            var count: Int?
            do {
                count = try PhotoLibrary.assetCount(in: snapshot, ofBackupAt: folder)
            } catch {
                general.output.message(ExitStatus.words(for: error))
                isDamaged = true
            }
            if general.output.isJSON {
                try general.output.printJSON(["date": snapshot.date.universalText, "photos": count])
            }
            table.add([snapshot.date.tableText, count.map(String.init) ?? "damaged"])
        }
        if !general.output.isJSON { try general.output.printText(table.lines) }
        if isDamaged { throw CommandEnd(status: .damage) }
    }
}
