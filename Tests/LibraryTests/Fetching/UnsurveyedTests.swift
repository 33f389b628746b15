// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Testing

@testable import Library

/// The triggers that record which assets have changed since a survey.
@Suite("assets to survey")
struct UnsurveyedTests {
    private let temporary: TemporaryLibrary
    private let assets: [Int64]

    init() throws {
        temporary = try TemporaryLibrary()
        let library = temporary.library
        for name in ["first", "second"] {
            let asset = try library.importAsset(name)
            try library.edit(asset.id, recipe: "one of \(name)", render: "render of \(name)")
        }
        assets = try library.rowsToSurvey(all: true).rows
        try #require(assets.count == 2)
    }

    private var layout: LibraryLayout { temporary.library.layout }

    private func execute(_ sql: String) throws {
        let queue = try DatabaseQueue(path: temporary.path + "/library.sqlite")
        try queue.write { database in
            try database.execute(sql: "PRAGMA defer_foreign_keys = ON")
            try database.execute(sql: sql)
        }
        try queue.close()
    }

    /// The change numbers by asset row.
    private func changes() throws -> [Int64: Int64] {
        try temporary.library.read { database in
            Dictionary(
                try database.records("SELECT asset, change FROM unsurveyed") {
                    (try $0.value(0), try $0.value(1))
                }
            ) { $1 }
        }
    }

    /// Changes of the second asset that may affect a verdict about its picture.
    private static let statements = [
        "UPDATE asset SET position = NULL, adjustment_format = NULL WHERE id = 2",
        "UPDATE asset SET media_type = 2 WHERE id = 2",
        "UPDATE asset SET media_subtypes = 8 WHERE id = 2",
        "UPDATE asset SET original_pixel_width = 5 WHERE id = 2",
        "INSERT INTO state VALUES (2, 2, 2, 0)", "UPDATE state SET created = 1 WHERE asset_id = 2",
        "DELETE FROM state WHERE asset_id = 2; UPDATE asset SET position = NULL, adjustment_format = NULL WHERE id = 2",
        """
        INSERT INTO edit (uuid, asset_id, parent_id, format_identifier, format_version,
            adjustment_data, created) VALUES ('x', 2, 2, 'a', 'b', x'00', 0)
        """,
        "UPDATE edit SET is_enabled = 0 WHERE asset_id = 2",
        "UPDATE OR IGNORE edit SET adjustment_hash = NULL WHERE asset_id = 2",
        "INSERT INTO edit_file SELECT 2, 'name', hash, 'file' FROM blob LIMIT 1",
        """
        INSERT INTO edit_file SELECT 2, 'name', hash, 'file' FROM blob LIMIT 1;
        DELETE FROM unsurveyed; UPDATE edit_file SET filename = 'other'
        """,
        """
        INSERT INTO edit_file SELECT 2, 'name', hash, 'file' FROM blob LIMIT 1;
        DELETE FROM unsurveyed; DELETE FROM edit_file
        """,
        "UPDATE rendition SET created = 1 WHERE edit_id = 2",
        "DELETE FROM rendition WHERE edit_id = 2",
        """
        INSERT OR REPLACE INTO rendition SELECT edit_id, kind, part, key, x'00', blob_hash,
            pixel_width, pixel_height, duration, format, created FROM rendition WHERE edit_id = 2
        """,
        """
        INSERT INTO rendition SELECT edit_id, 'base', part, key, ingredients, blob_hash,
            pixel_width, pixel_height, duration, format, created FROM rendition WHERE edit_id = 2
        """,
        "UPDATE resource SET facts = '{}' WHERE asset_id = 2",
        "DELETE FROM resource WHERE asset_id = 2",
        """
        INSERT INTO resource (asset_id, type, is_primary, url, filename, format)
        VALUES (2, 4, 0, 'file:///x', 'x', 'dng')
        """,
    ]

    @Test("every change that affects a verdict on a rendition is noted", arguments: statements)
    func noted(sql: String) throws {
        try execute("DELETE FROM unsurveyed")
        try execute(sql)
        #expect(try changes().keys.sorted() == [2])
    }

    @Test("each change gets a distinct number", arguments: statements)
    func numbered(sql: String) throws {
        let before = try changes()
        #expect(before.count == 2)
        try execute(sql)
        let after = try changes()
        if !sql.contains("DELETE FROM unsurveyed") { #expect(after[1] == before[1]) }
        #expect(after[2] != before[2])
    }

    @Test("irrelevant changes are not noted, and deleted assets do not stay")
    func others() throws {
        try execute("DELETE FROM unsurveyed")
        try execute("UPDATE asset SET is_favorite = 1, title = 'a', rating = 3, latitude = NULL")
        try execute("INSERT INTO keyword VALUES (1, 'word'), (2, 'word')")
        #expect(try changes().isEmpty)
        let library = temporary.library
        try library.performChanges {
            try AssetChangeRequest.deleteAssets([Asset.fetchAssets(in: library)[0]])
        }
        #expect(try changes().isEmpty)
        #expect(try library.importAsset("third").id.isEmpty == false)
        #expect(try changes().count == 1)
        #expect(try library.check(readingDataOf: 100).severity <= .repairable)
    }

    @Test("a row moved to another asset is noted for both")
    func moved() throws {
        try execute("DELETE FROM unsurveyed")
        try execute("UPDATE resource SET asset_id = 1, is_primary = 0 WHERE asset_id = 2")
        #expect(try changes().keys.sorted() == [1, 2])
    }

    @Test("a folder changed just now or in the future is not stored")
    func folders() async throws {
        let library = temporary.library
        for now in [Int64.min, 0] {
            let stamp = try library.storedSurvey().stamp
            let folders = BlobFolders(library, now: now)
            let same = try await library.store(
                folders, changed: BlobFolders.names, lacking: [], stamp: stamp)
            #expect(same == stamp)
            #expect(try library.storedSurvey().folders.isEmpty)
        }
        let stamp = try library.storedSurvey().stamp
        let folders = BlobFolders(library, now: .max)
        let new = try await library.store(
            folders, changed: BlobFolders.names, lacking: [], stamp: stamp)
        #expect(new != nil && new != stamp)
        let stored = try library.storedSurvey().folders
        #expect(try stored.keys.sorted() == Folders.names(in: layout.blobs).sorted())
        #expect(
            BlobFolders(library).changed(since: stored)
                == BlobFolders.names.filter { stored[$0] == nil })
        // The stamp is stale because another survey has been stored.
        let late = try await library.store(
            folders, changed: BlobFolders.names, lacking: [], stamp: stamp)
        #expect(late == nil)
    }

    @Test("a library partly locked by another process is surveyed without being stored")
    func busy() async throws {
        let library = temporary.library
        let lock = try LibraryLock(library.root, exclusively: true, waiting: 0)
        await #expect(throws: LibraryError.self) {
            _ = try await library.forgetSurvey(BlobFolders(library))
        }
        withExtendedLifetime(lock) {}
    }
}
