// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// The part of `check` that verifies a database: SQLite's own checks, then the validity and
/// consistency of every row.
struct DatabaseCheck {
    /// A fault in a row.
    struct Finding {
        var kind = CheckReport.Kind.databaseDamaged
        let detail: String
        var asset: String?
    }

    /// The maximum number of findings of one kind.
    private static let maximumCount = 100

    private let read: ((Database) throws -> Void) throws -> Void
    private(set) var findings: [Finding] = []

    /// - Parameter read: Runs its argument in a read transaction.
    init(_ read: @escaping ((Database) throws -> Void) throws -> Void) { self.read = read }

    /// Runs SQLite's checks. Returns whether the rows can be checked too.
    mutating func checkStructure() -> Bool {
        noting { check, database in
            let answers = try database.values("PRAGMA integrity_check", as: String.self)
            for answer in answers where answer != "ok" { check.add(answer) }
        }
        guard findings.isEmpty else { return false }
        noting { check, database in
            let tables = try database.values("PRAGMA foreign_key_check", as: String.self)
            for table in tables.prefix(Self.maximumCount) {
                check.add("a row of \(table) refers to a row that does not exist")
            }
        }
        return true
    }

    /// Checks every row.
    mutating func checkRows() {
        noting { try $0.checkLibrary($1) }
        noting { try $0.checkAssets($1) }
        noting { try $0.checkHistories($1) }
        noting { try $0.checkRecipes($1) }
        noting { try $0.checkCollections($1) }
        noting { try $0.checkChanges($1) }
        noting { try $0.checkRejectedFiles($1) }
    }

    private mutating func add(_ detail: String, asset: String? = nil) {
        findings.append(Finding(detail: detail, asset: asset))
    }

    /// Runs a part of the check, and records an error as a finding.
    private mutating func noting(_ part: (inout DatabaseCheck, Database) throws -> Void) {
        do {
            var check = self
            try read { try part(&check, $0) }
            findings = check.findings
        } catch let error as LibraryError {
            add(Self.finding(error), asset: error.assetIdentifier)
        } catch {
            add("\(error)")
        }
    }

    /// Returns the message of an error, without the advice to run this check.
    private static func finding(_ error: LibraryError) -> String {
        error.message.replacing("; run edithost check", with: "")
    }

    // MARK: - Rows

    /// Calls `body` with each row of a query, and records an unreadable row as a finding.
    private mutating func forEachRow(
        _ sql: String, _ database: Database, _ body: (inout DatabaseCheck, Row) throws -> Void
    ) throws {
        var count = 0
        try database.makeStatement(sql: sql).forEachRow { row in
            do {
                try body(&self, row)
            } catch let error as LibraryError {
                count += 1
                if count <= Self.maximumCount {
                    add(Self.finding(error), asset: error.assetIdentifier)
                }
            }
        }
    }

    private mutating func checkLibrary(_ database: Database) throws {
        let count = try database.records(
            "SELECT uuid, created, next_asset_id, next_collection_id, last_forgotten_token FROM "
                + "library"
        ) { row in
            _ = try row.identifier(0)
            _ = try row.value(1, as: Date.self)
            // Above the limit, no row could be inserted.
            for counter in 2...3 {
                _ = try row.value(counter, in: 1...StoredValueLimits.counts.upperBound)
            }
            _ = try row.value(4, as: Int64.self)
        }.count
        if count != 1 { add("the library's own row is missing") }
        for (counter, table) in [
            ("next_asset_id", "asset"), ("next_collection_id", "collection"),
        ] {
            let isLate = try database.value(
                """
                SELECT EXISTS (SELECT 1 FROM \(table), library WHERE \(table).id >= \(counter))
                """, as: Bool.self)
            if isLate == true { add("\(counter) is too low for the rows of \(table)") }
        }
    }

    private mutating func checkAssets(_ database: Database) throws {
        try forEachRow("SELECT \(Asset.columns) FROM asset", database) { _, row in
            _ = try Asset(row: row)
            _ = try row.identifier(0)
        }
        try forEachRow(AssetResource.query, database) { _, row in _ = try AssetResource(row: row) }
        try forEachRow("SELECT hash, size FROM blob", database) { _, row in
            _ = try row.value(0, as: SHA256Digest.self)
            _ = try row.value(1, in: StoredValueLimits.bytes)
        }
        try forEachRow("SELECT text FROM keyword", database) { _, row in
            _ = try row.value(0, as: String.self)
        }
    }

    private mutating func checkHistories(_ database: Database) throws {
        let sql = "SELECT uuid FROM asset WHERE id IN (SELECT asset_id FROM edit)"
        try forEachRow(sql, database) { _, row in
            _ = try HistoryReader(database: database, assetIdentifier: row.value(0)).history()
        }
    }

    /// SQLite detects damage to the structure of its pages, but not to their content.
    private mutating func checkRecipes(_ database: Database) throws {
        let sql = """
            SELECT asset.uuid, edit.uuid, adjustment_data, adjustment_hash
            FROM edit JOIN asset ON asset.id = asset_id
            """
        try forEachRow(sql, database) { check, row in
            let hash = try row.value(2, as: Data.self).recipeHash
            if try hash == row.value(3, as: String?.self) { return }
            let edit: String = try row.value(1)
            check.findings.append(
                Finding(
                    kind: .recipeDamaged,
                    detail: "the recipe of edit \(edit) does not match its hash; make the edit "
                        + "again",
                    asset: try row.value(0)))
        }
    }

    private mutating func checkCollections(_ database: Database) throws {
        var parents: [Int64: Int64] = [:]
        let sql = "SELECT \(PhotoCollection.columns), parent_id, rank FROM collection"
        try forEachRow(sql, database) { _, row in
            _ = try PhotoCollection(row: row)
            _ = try row.identifier(1)
            let count = row.count
            parents[try row.rowNumber(0)] = try row.value(count - 2, as: Int64?.self)
            _ = try row.rank(count - 1)
        }
        let lost = Self.inCycles(parents)
        if lost > 0 {
            let those = lost == 1 ? "1 album or folder is" : "\(lost) albums or folders are"
            add("\(those) in a cycle of folders")
        }
        try forEachRow("SELECT asset_id, rank FROM album_member", database) { _, row in
            _ = try row.rowNumber(0)
            _ = try row.value(1, in: StoredValueLimits.ranks)
        }
    }

    /// Returns the number of collections that are part of a folder cycle or are inside one.
    private static func inCycles(_ parents: [Int64: Int64]) -> Int {
        var isFine: [Int64: Bool] = [:]
        for start in parents.keys {
            var path: [Int64] = []
            var passed: Set<Int64> = []
            var next: Int64? = start
            while let id = next, isFine[id] == nil, passed.insert(id).inserted {
                path.append(id)
                next = parents[id]
            }
            let verdict = next.map { isFine[$0] ?? false } ?? true
            for id in path { isFine[id] = verdict }
        }
        return isFine.values.count { !$0 }
    }

    private mutating func checkChanges(_ database: Database) throws {
        let counted = "SELECT seq FROM sqlite_sequence WHERE name = 'change'"
        try forEachRow(counted, database) { _, row in
            _ = try row.value(0, in: StoredValueLimits.counts)
        }
        let changes = "SELECT token, date, session, command, undoes FROM change"
        try forEachRow(changes, database) { _, row in
            _ = try row.value(0, as: Int64.self)
            _ = try row.value(1, as: Date.self)
            _ = try row.value(2, as: String.self)
            _ = try row.value(3, as: String?.self)
            _ = try row.value(4, as: Int64?.self)
        }
        let items = "SELECT \(PersistentChange.Item.columns) FROM change_item"
        try forEachRow(items, database) { _, row in _ = try PersistentChange.Item(row, from: 0) }
        let values = """
            SELECT object_type, object_uuid, property, item, old, new
            FROM change_value JOIN change_item USING (token, object_type, object_id)
            """
        try forEachRow(values, database) { _, row in try JournalChange(row).requireValid() }
    }

    private mutating func checkRejectedFiles(_ database: Database) throws {
        let sql = "SELECT \(RejectedFile.columns) FROM rejected_file"
        try forEachRow(sql, database) { _, row in _ = try RejectedFile(row: row) }
    }
}

extension Row {
    /// Returns a UUID in lower case, the form of all identifiers.
    fileprivate func identifier(_ index: Int) throws -> String {
        let text: String = try value(index)
        guard let identifier = UUID(uuidString: text), identifier.uuidString.lowercased() == text
        else { throw damage(at: index) }
        return text
    }
}
