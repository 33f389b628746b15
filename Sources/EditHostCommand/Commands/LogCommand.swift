// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONOutput
import Library

/// The command `edithost log`.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "List the commands that changed the library, the newest first.",
        discussion: """
            All changes of one command are one entry, which can be undone: "undo @1042". In the studio and in other programs, each change is an entry. \
            "prune" removes entries that are older than 90 days.
            """,
        examples: """
            edithost log
            edithost log --limit 10 --json
            """)

    @Option(
        help: ArgumentHelp(
            "Print at most this many entries; 0 for all.", valueName: "number"))
    var limit = 50

    /// The number of entries that are read at once.
    private static let pageSize = 500

    @OptionGroup var libraryOptions: LibraryOptions
    @OptionGroup var general: GeneralOptions

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must be at least 0.") }
    }

    func run() async throws {
        let library = try libraryOptions.open(for: .reading)
        var left = limit == 0 ? Int.max : limit
        var page = try library.journal(limit: min(left, Self.pageSize))
        if page.isEmpty { try general.output.printText(["no entries"]) }
        var table = TextTable(["entry", "date", "command", "changed", ""])
        while let last = page.last {
            try print(page, &table)
            left -= page.count
            page = try library.journal(limit: min(left, Self.pageSize), before: last.identifier)
        }
    }

    private func print(_ entries: [JournalEntry], _ table: inout TextTable) throws {
        guard !general.output.isJSON else {
            for entry in entries { try general.output.printJSON(entry.row) }
            return
        }
        for entry in entries {
            table.add([
                "\(entry.identifier)", entry.date.tableText, entry.command ?? "-",
                entry.countText, entry.remark,
            ])
        }
        try general.output.printText(table.removeLines())
    }
}

extension JournalEntry {
    fileprivate var row: JSONRow {
        [
            "entry": "\(identifier)", "date": date.universalText, "command": command,
            "photos": assetCount, "albums": collectionCount, "canUndo": hasValues,
            "isUndone": isUndone, "undoes": undoes?.description,
        ]
    }

    fileprivate var countText: String {
        let counts = [
            assetCount > 0 ? assetCount.counted("photo") : nil,
            collectionCount > 0 ? collectionCount.counted("album") : nil,
        ]
        return counts.compactMap(\.self).joined(separator: ", ")
    }

    fileprivate var remark: String {
        let remarks = [undoes.map { "undoes \($0)" }, isUndone ? "undone" : nil]
        return remarks.compactMap(\.self).joined(separator: ", ")
    }
}
