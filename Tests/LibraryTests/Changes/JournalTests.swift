// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LibraryTestSupport
import Testing

@testable import Library

/// The entries of the journal.
@Suite("journal")
struct JournalTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    /// Opens the library as a run of a command does.
    private func run(_ command: String, isGrouped: Bool = true) throws -> PhotoLibrary {
        var options = PhotoLibrary.Options()
        options.command = command
        options.groupsChanges = isGrouped
        return try temporary.reopen(options)
    }

    private func rate(_ asset: Asset, _ rating: Int, in library: PhotoLibrary) throws {
        try library.performChanges { try AssetChangeRequest(for: asset).rating = rating }
    }

    @Test("the changes of one run are one entry, even if another run changes photos in between")
    func runs() async throws {
        let (one, other) = (try run("import"), try run("set"))
        let first = try one.importAsset("first")
        try rate(first, 3, in: other)
        let second = try one.importAsset("second")
        try rate(first, 4, in: other)
        try one.makeAlbum("Album", [first])
        let entries = try library.journal()
        #expect(entries.map(\.command) == ["set", "import"])
        #expect(entries.map(\.assetCount) == [1, 2])
        #expect(entries.map(\.collectionCount) == [0, 1])
        #expect(entries.allSatisfy { $0.hasValues && !$0.isUndone && $0.undoes == nil })
        #expect(try library.journal(limit: 1) == [entries[0]])
        // The first change of the import is older than the one of `set`.
        let next = try library.journal(limit: 2, before: entries[0].identifier)
        #expect(next == [entries[1]])
        #expect(try library.journal(before: entries[1].identifier) == [])
        // Any change names its entry.
        let last = try JournalEntry.Identifier(number: library.currentChangeToken.number)
        #expect(try library.journalEntry(last) == entries[1])

        try await library.undo(entries[0].identifier)
        #expect(try library.asset(withLocalIdentifier: first.id).rating == nil)
        try await library.undo(entries[1].identifier)
        let found = try [first, second].map { try library.history(ofAsset: $0.id).asset }
        #expect(found.map(\.isTrashed) == [true, true])
        #expect(try library.titles() == [])
        for library in [one, other] { try library.close() }
    }

    @Test("each change of a program that does not group them, or that states no name, is an entry")
    func changes() throws {
        let asset = try library.importAsset("one")
        let studio = try run("studio", isGrouped: false)
        for rating in 1...2 { try rate(asset, rating, in: studio) }
        #expect(try library.journal().map(\.command) == ["studio", "studio", nil])
        try rate(asset, 3, in: library)
        #expect(try library.journal().map(\.command) == [nil, "studio", "studio", nil])
        try studio.close()
    }

    @Test("the last entry to undo is neither an undo, nor undone, nor without effect")
    func last() async throws {
        let asset = try library.importAsset("one")
        for rating in 1...3 { try rate(asset, rating, in: library) }
        let entries = try library.journal().map(\.identifier)
        func next() throws -> JournalEntry.Identifier? {
            try library.lastEntryToUndo(exceptOf: "undo")?.identifier
        }
        #expect(try next() == entries[0])
        try await library.undo(entries[0])
        let undo = try library.lastEntry()
        #expect(try library.journalEntry(undo).undoes == entries[0])
        #expect(try library.journalEntry(entries[0]).isUndone)
        #expect(try next() == entries[1])
        // An undo that is undone counts no longer.
        try await library.undo(undo)
        #expect(try !library.journalEntry(entries[0]).isUndone)
        #expect(try library.journalEntry(undo).isUndone)
        #expect(try next() == entries[0])
        #expect(try library.asset(withLocalIdentifier: asset.id).rating == 3)
        // A command of the same name is skipped, and all earlier values have changed since.
        let other = try run("undo")
        try rate(asset, 5, in: other)
        #expect(try next() == nil)
        try other.close()
    }

    @Test("an undo without effect is no entry")
    func unchanged() async throws {
        let asset = try library.importAsset("one")
        try rate(asset, 1, in: library)
        let entry = try library.lastEntry()
        try rate(asset, 2, in: library)
        let token = try library.currentChangeToken
        let report = try await library.undo(entry)
        #expect(report.undone == [] && report.left.count == 1)
        #expect(try library.currentChangeToken == token)
    }

    @Test("maintenance is no command that can be undone")
    func maintenance() throws {
        let asset = try library.importAsset("one")
        try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        let entry = try #require(try library.journal(limit: 1).first)
        #expect(!entry.hasValues && entry.assetCount == 1)
        #expect(try library.lastEntryToUndo(exceptOf: "undo") == nil)
        #expect(try library.plannedUndo(of: entry.identifier).report.removedAssetCount == 1)
    }

    @Test("an entry is gone with the history of changes")
    func forgotten() async throws {
        let asset = try library.importAsset("one")
        try rate(asset, 1, in: library)
        let entry = try library.lastEntry()
        #expect(try library.forgetChanges(before: Date(timeIntervalSinceNow: 10)) == 2)
        #expect(try library.journal() == [])
        #expect(try library.count("change_value") == 0)
        let error = try libraryError { _ = try library.journalEntry(entry) }
        #expect(error.code == .noSuchEntry && error.message.contains("\(entry)"))
    }

    @Test("identifiers are numbers after an at sign")
    func identifiers() {
        #expect(JournalEntry.Identifier("@1042")?.description == "@1042")
        for text in ["", "@", "@0", "@-1", "1042", "@1042x", "@99999999999999999999", "@ 1"] {
            #expect(JournalEntry.Identifier(text) == nil, "\(text)")
        }
    }

    @Test("changes of the version before are entries without names and values")
    func older() throws {
        let asset = try library.importAsset("one")
        try library.edit(asset.id, recipe: "one", render: "render of one")
        try library.close()
        try OldLibrary.downgrade(temporary.path, to: 16)
        let upgraded = try temporary.reopen()
        let entries = try upgraded.journal()
        #expect(entries.map(\.command) == [nil, nil])
        #expect(entries.allSatisfy { !$0.hasValues })
        #expect(try upgraded.lastEntryToUndo(exceptOf: "undo") == nil)
        #expect(try upgraded.lastEdits()?.identifiers == [asset.id])
    }

    @Test("edits that the journal contains are not those of an earlier version")
    func newer() async throws {
        let made = try library.importAsset("one")
        try library.edit(made.id, recipe: "one", render: "render of one")
        #expect(try library.lastEdits() == nil)
        let edited = try library.lastEntry()
        try library.performChangesAndWait { try AssetChangeRequest.deleteAssets([made]) }
        let deleted = try library.lastEntry()
        // The edits of a photo in the trash are left, and it comes back.
        #expect(try await library.undo(edited).undone == [])
        try await library.undo(deleted)
        #expect(try library.lastEdits() == nil)
    }

    @Test(
        "an invalid value of the journal is damage, which an undo and the check report",
        arguments: [
            "property = 'rating; DROP TABLE asset'", "property = 'member'",
            "property = 'place'", "old = 1.5", "old = x'00ff'", "old = 99", "old = 'text'",
            "old = -9223372036854775808",
        ])
    func hostile(assignment: String) throws {
        try library.importAsset("other")
        let other = try library.lastEntry()
        let asset = try library.importAsset("one")
        try rate(asset, 1, in: library)
        let entry = try library.lastEntry()
        let (pool, _) = try library.writer()
        try pool.write {
            try $0.execute(
                sql: "UPDATE change_value SET \(assignment) WHERE property = 'rating'")
        }
        let error = try libraryError { _ = try library.plannedUndo(of: entry) }
        #expect(error.code == .damaged, "\(error)")
        // An entry with other photos can be undone.
        var skipped: [JournalEntry.Identifier: LibraryError] = [:]
        let last = try library.lastEntryToUndo(exceptOf: "undo") { skipped[$0] = $2 }
        #expect(last?.identifier == other)
        #expect(skipped[entry]?.code == .damaged)
        #expect(try library.check().severity != .clean)
        #expect(try Asset.count(in: library) == 2)
    }

    @Test("newer commands with nothing to restore are named")
    func skipped() throws {
        let asset = try library.importAsset("one")
        try rate(asset, 1, in: library)
        let rated = try library.lastEntry()
        let rename = try run("set")
        try rename.performChanges { try AssetChangeRequest(for: asset).title = "Title" }
        let named = try library.lastEntry()
        try library.performChanges { try AssetChangeRequest(for: asset).title = "Other" }
        let emptied = try run("trash empty")
        let second = try emptied.importAsset("two")
        try emptied.performChanges { try AssetChangeRequest.removeAssets([second]) }
        var skipped: [String] = []
        func next(before entry: JournalEntry.Identifier? = nil) throws -> JournalEntry? {
            try library.lastEntryToUndo(exceptOf: "undo", before: entry) {
                skipped.append("\($0) \($1) \($2?.message ?? "-")")
            }
        }
        let last = try #require(try next())
        #expect(skipped.count == 1 && skipped[0].hasSuffix(" trash empty -"), "\(skipped)")
        skipped = []
        #expect(try next(before: last.identifier)?.identifier == rated)
        #expect(skipped == ["\(named) set -"])
        for library in [rename, emptied] { try library.close() }
    }

    @Test("undos that undo each other end")
    func cycle() throws {
        let asset = try library.importAsset("one")
        try rate(asset, 1, in: library)
        let (pool, _) = try library.writer()
        try pool.write {
            try $0.execute(sql: "UPDATE change SET undoes = CASE token WHEN 1 THEN 2 ELSE 1 END")
        }
        #expect(try library.journal().map(\.isUndone) == [false, true])
        #expect(try library.lastEntryToUndo(exceptOf: "undo") == nil)
    }
}
