// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension PhotoLibrary {
    /// What surveys have left here.
    ///
    /// - Throws: `LibraryError`, also where it cannot be read, or is too much to be ours.
    package func storedSurvey() throws -> StoredSurvey { try read(StoredSurvey.init) }

    /// The rows of the assets that no survey has found up to date since they changed, or of all, in the order in which they lie in
    /// the database, and the stamp that surveys have then.
    ///
    /// - Throws: `LibraryError`.
    package func rowsToSurvey(all: Bool) throws -> (rows: [Int64], stamp: Int64?) {
        try read { database in
            let rows = try database.values(
                all
                    ? "SELECT id FROM asset ORDER BY id"
                    : """
                    SELECT asset FROM unsurveyed WHERE EXISTS (SELECT 1 FROM asset WHERE id = asset)
                    ORDER BY asset
                    """, as: Int64.self)
            return (rows, try StoredSurvey.stamp(database))
        }
    }

    /// The rows of assets of which a rendition should be in one of these folders of stored files, and is not there as a plain file.
    ///
    /// - Throws: `LibraryError`.
    package func assets(lackingFilesIn folders: [String]) throws -> [Int64] {
        let needed = try read { database in
            // Right after the library was made anew, or an extension has changed, all are looked at anyway.
            let hasSurveyed = try database.value(
                """
                SELECT EXISTS (SELECT 1 FROM asset WHERE NOT EXISTS (
                    SELECT 1 FROM unsurveyed WHERE unsurveyed.asset = asset.id))
                """, as: Bool.self)
            guard hasSurveyed == true else { return [] as [(blob: SHA256Digest, edit: Int64)] }
            let statement = try database.cachedStatement(
                sql: """
                    SELECT blob_hash, edit_id FROM rendition INDEXED BY rendition_blob
                    WHERE blob_hash >= ?1 AND blob_hash < ?1 || 'g'
                        AND kind = 'current' AND part = 'photo'
                    """)
            return try folders.flatMap { name in
                try statement.records([name]) { (try $0.value(0), try $0.rowNumber(1)) }
            }
        }
        let blobs = BlobLookup(self)
        let missing = needed.filter { !blobs.contains($0.blob) }.map(\.edit)
        if missing.isEmpty { return [] }
        return try read { database in
            try database.values(
                """
                SELECT DISTINCT asset.id FROM json_each(?) AS missing
                CROSS JOIN edit ON edit.id = missing.value
                CROSS JOIN asset ON asset.id = edit.asset_id
                """, [missing.json])
        }
    }

    /// Forgets what surveys have left: all assets are to be surveyed.
    ///
    /// - Parameter folders: the folders of stored files as they were before.
    /// - Returns: The new stamp.
    /// - Throws: `LibraryError`, also where somebody else has the library for themselves just now.
    package func forgetSurvey(_ folders: BlobFolders) async throws -> Int64 {
        try await writeSurvey { database in
            try database.execute(
                sql: """
                    INSERT INTO unsurveyed SELECT id, random() FROM asset WHERE true
                        ON CONFLICT DO NOTHING;
                    DELETE FROM surveyed_kind;
                    DELETE FROM surveyed_folder;
                    """)
            try Self.store(folders, BlobFolders.names, database)
            return try Self.renewStamp(database)
        }
    }

    /// Stores how folders are now, after files were looked for in them.
    ///
    /// - Parameters:
    ///   - names: those that have changed.
    ///   - lacking: the rows of assets that lack a file there.
    ///   - stamp: that of the stored survey that the folders were compared with.
    /// - Returns: The stamp afterwards; nil: nothing was stored, because somebody else has stored something meanwhile.
    /// - Throws: `LibraryError`, also where somebody else has the library for themselves just now.
    package func store(
        _ folders: BlobFolders, changed names: [String], lacking: [Int64], stamp: Int64
    ) async throws -> Int64? {
        if lacking.isEmpty, names.allSatisfy({ folders.storable($0) == nil }) { return stamp }
        return try await writeSurvey { database in
            guard try StoredSurvey.stamp(database) == stamp else { return nil }
            try database.execute(
                sql: """
                    INSERT INTO unsurveyed
                        SELECT id, random() FROM asset WHERE id IN (SELECT value FROM json_each(?))
                        ON CONFLICT (asset) DO UPDATE SET change = excluded.change
                    """, arguments: [lacking.json])
            try Self.store(folders, names, database)
            return try Self.renewStamp(database)
        }
    }

    /// Stores that assets were found up to date, unless they have changed since that was read.
    ///
    /// - Parameters:
    ///   - kinds: what they were found up to date by, and is not stored yet.
    ///   - stamp: the one that surveys had when the assets were read.
    /// - Returns: Whether it was stored; not where somebody else has stored something meanwhile, or there are too many kinds.
    /// - Throws: `LibraryError`, also where somebody else has the library for themselves just now.
    @discardableResult
    package func store(
        upToDate assets: [SurveyedAsset], by kinds: [SurveyedKind], stamp: Int64
    ) async throws -> Bool {
        try await writeSurvey { database in
            let count = try database.value("SELECT count(*) FROM surveyed_kind", as: Int.self) ?? 0
            guard try StoredSurvey.stamp(database) == stamp,
                count + kinds.count <= StoredSurvey.maximumKindCount
            else { return false }
            for kind in kinds {
                try database.execute(
                    sql: """
                        INSERT INTO surveyed_kind (subject, kind, digest, sample)
                        VALUES (?, ?, ?, ?)
                        """,
                    arguments: [kind.subject.rawValue, kind.kind, kind.digest.hex, kind.sample])
            }
            let statement = try database.cachedStatement(
                sql: "DELETE FROM unsurveyed WHERE asset = ? AND change = ?")
            for asset in assets {
                guard let change = asset.change else { continue }
                try statement.execute(arguments: [asset.row, change])
            }
            // Whoever has looked at all of this before has to look again before it stores something.
            _ = try Self.renewStamp(database)
            return true
        }
    }

    private static func store(
        _ folders: BlobFolders, _ names: [String], _ database: Database
    ) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO surveyed_folder (name, inode, changed) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET inode = excluded.inode, changed = excluded.changed
                """)
        for name in names {
            guard let moment = folders.storable(name) else { continue }
            try statement.execute(arguments: [name, moment.inode, moment.changed])
        }
    }

    private static func renewStamp(_ database: Database) throws -> Int64 {
        let stamp = try database.value(
            "UPDATE library SET survey_stamp = random() RETURNING survey_stamp", as: Int64.self)
        guard let stamp else {
            throw LibraryError(.damaged, "the library's own row is missing; run edithost check")
        }
        return stamp
    }

    /// Runs `body` in one transaction. Nobody is waited for who has the library for themselves: a survey can be made
    /// again.
    private func writeSurvey<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        let (pool, _) = try writer()
        let root = root
        do {
            return try await pool.writeWithoutTransaction { database in
                let lock = try LibraryLock(root, exclusively: false, waiting: 0)
                defer { withExtendedLifetime(lock) {} }
                var result: Result?
                try database.inTransaction(.immediate) {
                    try LibraryOpener.verifyHeader(database, knowing: Schema.current.version)
                    result = try body(database)
                    return .commit
                }
                guard let result else { throw CancellationError() }
                return result
            }
        } catch {
            throw LibraryError.translating(error, path: path)
        }
    }
}
