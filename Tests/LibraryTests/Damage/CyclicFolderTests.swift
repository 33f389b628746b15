// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import TestSupport
import Testing

@testable import Library

/// Folders and edits that are nested extremely deeply or form cycles.
@Suite("deep and cyclic structures")
struct CyclicFolderTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    /// Nests folders, the first at the top level.
    private func nest(_ count: Int) throws { try Self.nest(count, from: 1, in: temporary.path) }

    /// Nests folders in any library, numbered from `first`.
    static func nest(_ count: Int, from first: Int, in path: String) throws {
        try RichLibrary.execute(on: path) { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n (x) AS (
                        SELECT :first UNION ALL SELECT x + 1 FROM n WHERE x < :last)
                    INSERT INTO collection (id, uuid, kind, parent_id, rank, title, created, modified)
                    SELECT x, printf('%08x-0000-4000-8000-000000000000', x), 'folder',
                        CASE WHEN x > :first THEN x - 1 END, 0, 'folder ' || x, 0, 0 FROM n
                    """,
                arguments: ["first": first, "last": first + count - 1])
            try database.execute(
                sql: "UPDATE library SET next_collection_id = ?", arguments: [first + count])
        }
    }

    private func list(_ number: Int) throws -> CollectionList {
        let identifier = String(format: "%08x-0000-4000-8000-000000000000", number)
        let found = try CollectionList.fetchCollectionLists(
            withLocalIdentifiers: [identifier], in: library)
        return try #require(found.first)
    }

    private func count() throws -> Int? {
        try library.read { try $0.value("SELECT count(*) FROM collection") }
    }

    @Test("30,000 nested folders are deleted on a thread with a normal stack")
    func deep() async throws {
        try nest(30_000)
        let first = try list(1)
        let library = library
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            let thread = Thread {
                done.resume(
                    with: Result {
                        try library.performChanges {
                            try CollectionListChangeRequest.deleteCollectionLists([first])
                        }
                    })
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(try count() == 0)
        #expect(try library.check().severity == .clean)
    }

    @Test("folders that contain each other are found without an endless loop")
    func cycle() throws {
        try nest(4)
        let lists = try (1...4).map(list)
        try RichLibrary.execute(on: temporary.path) { database in
            try database.execute(sql: "UPDATE collection SET parent_id = 4 WHERE id = 2")
        }
        let deletion = try libraryError {
            try library.performChanges {
                try CollectionListChangeRequest.deleteCollectionLists([lists[2]])
            }
        }
        #expect(deletion.code == .damaged)
        let move = try libraryError {
            try library.performChanges {
                try CollectionListChangeRequest(for: lists[2]).addChildCollections([lists[0]])
            }
        }
        #expect(move.code == .damaged)
        #expect(try count() == 4)
        let report = try library.check()
        #expect(report.findings.map(\.kind) == [.databaseDamaged])
        #expect(report.findings.first?.detail.hasPrefix("3 albums or folders") == true)
    }

    @Test("edits based on themselves and states that lead nowhere are damage")
    func edits() throws {
        let asset = try library.importAsset("a")
        for recipe in ["one", "two", "three"] {
            try library.edit(asset.id, recipe: recipe, render: "render of \(recipe)")
        }
        for damage in [
            "UPDATE edit SET parent_id = 3 WHERE id = 1", "UPDATE edit SET parent_id = id",
            "UPDATE state SET tip_id = 77", "UPDATE state SET position = position + 1",
            "DELETE FROM state WHERE position = 2",
            "UPDATE asset SET position = 9223372036854775807",
        ] {
            let copy = temporary.folder + "/\(UUID()).editlibrary"
            try FileManager.default.copyItem(atPath: temporary.path, toPath: copy)
            try RichLibrary.execute(on: copy) { database in
                let sql =
                    damage.hasPrefix("UPDATE state SET position")
                    ? "UPDATE state SET position = position + 10; "
                        + "UPDATE state SET position = position - 9" : damage
                try database.execute(sql: sql)
            }
            let damaged = try PhotoLibrary.open(at: copy)
            #expect(
                try libraryError { _ = try damaged.history(ofAsset: asset.id) }.code == .damaged,
                "\(damage)")
            #expect(try damaged.check().severity == .damage, "\(damage)")
            try damaged.close()
        }
    }

    @Test("huge row numbers allocate no memory")
    func strayNumbers() throws {
        var list = IdentifierList([1, 1 << 62, Int64.max, 1 << 26, (1 << 26) - 1])
        #expect(Array(list) == [1, 1 << 62, Int64.max, 1 << 26, (1 << 26) - 1])
        #expect(list.index(of: 1 << 62) == 1 && list.index(of: 1 << 26) == 3)
        list.remove(at: 1)
        #expect(list.index(of: 1 << 62) == nil && list.index(of: Int64.max) == 1)
        #expect(!list.contains(-1) && !list.contains(0))
    }
}
