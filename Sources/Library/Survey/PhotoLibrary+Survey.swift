// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension PhotoLibrary {
    /// Returns the stored results of earlier surveys.
    ///
    /// - Throws: `LibraryError`, also if they are unreadable or exceed the limits.
    package func storedSurvey() throws -> StoredSurvey { try read(StoredSurvey.init) }

    /// Returns the rows of the assets to be surveyed, in database order, and the current stamp.
    ///
    /// - Parameter all: Whether to return all assets, instead of those that no survey has found up
    ///   to date since they changed.
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

    /// Returns the rows of the assets with a rendition that should be in one of these shard
    /// folders, but is not there as a regular file.
    ///
    /// - Throws: `LibraryError`.
    package func assets(lackingFilesIn folders: [String]) throws -> [Int64] {
        let needed = try read { database in
            // Without surveyed assets, as after a migration or an extension update, all assets are
            // read anyway.
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

    /// Deletes the results of earlier surveys, so that all assets have to be surveyed.
    ///
    /// - Parameter folders: The state of the shard folders before the survey.
    /// - Returns: The new stamp.
    /// - Throws: `LibraryError`, also if another process has locked the library exclusively.
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

    /// Stores the state of shard folders after they were searched for missing files.
    ///
    /// - Parameters:
    ///   - names: The names of the changed folders.
    ///   - lacking: The rows of the assets that lack a file there.
    ///   - stamp: The stamp of the stored survey that the folders were compared with.
    /// - Returns: The new stamp, or nil if another process stored results meanwhile and nothing was
    ///   stored.
    /// - Throws: `LibraryError`, also if another process has locked the library exclusively.
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

    /// Stores that assets were found up to date, except those that have changed since they were
    /// read.
    ///
    /// - Parameters:
    ///   - kinds: The kinds that the assets were compared with and that are not stored yet.
    ///   - stamp: The stamp at the time the assets were read.
    /// - Returns: Whether the results were stored. They are not if another process stored results
    ///   meanwhile, or if there are too many kinds.
    /// - Throws: `LibraryError`, also if another process has locked the library exclusively.
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
            // The new stamp makes concurrent surveys read everything again before they store
            // results.
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

    /// Runs `body` in a transaction. It does not wait for an exclusive lock, because a survey can
    /// be repeated.
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
