// SPDX-License-Identifier: Apache-2.0

import Hashing
import EditingModel
import FoundationEssentials
import GRDB

/// The tables, indexes, triggers and views of a database, and the migrations that created them.
///
/// See docs/design/decisions/0016-untrusted-databases.md.
struct SchemaSnapshot: Sendable {
    /// A row of `sqlite_schema`, without its position in the file.
    struct Object: Hashable, Sendable {
        let type: String
        let name: String
        let table: String
        /// The statement that creates the object, as ``normalized(_:)`` returns it. Nil for
        /// SQLite's automatic indexes.
        let sql: String?
    }

    let objects: [Object]
    /// The names of the migrations, sorted.
    let steps: [String]

    /// The maximum number of objects. A library has about fifty, so a database with more is
    /// rejected.
    private static let maximumCount = 1000

    init(objects: [Object], steps: [String]) {
        (self.objects, self.steps) = (objects, steps)
    }

    /// Reads the schema of a database, up to the maximum number of objects.
    init(_ database: Database) throws {
        objects = try database.records(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT ?", [Self.maximumCount]
        ) { row in
            Object(
                type: try row.value(0), name: try row.value(1), table: try row.value(2),
                sql: try row.value(3, as: String?.self).map(Self.normalized))
        }
        let hasSteps = objects.contains { $0.type == "table" && $0.name == "grdb_migrations" }
        steps =
            hasSteps
            ? try database.values(
                "SELECT identifier FROM grdb_migrations ORDER BY identifier LIMIT ?",
                [Self.maximumCount])
            : []
    }

    /// Returns the SHA-256 of a database's schema, over the exact text of its statements. Equal
    /// digests mean equal structure. Different digests may be due to the wording alone.
    static func digest(of database: Database) throws -> String {
        var hash = SHA256()
        try database.cachedStatement(
            sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name LIMIT ?"
        ).forEachRow([maximumCount]) { row in
            let words = [
                try row.value(0, as: String.self), try row.value(1), try row.value(2),
                try row.value(3, as: String?.self) ?? "",
            ]
            guard !statisticsWords.contains(words) else { return }
            for word in words {
                withUnsafeBytes(of: word.utf8.count.littleEndian) { hash.update(bufferPointer: $0) }
                hash.update(data: Data(word.utf8))
            }
        }
        return SHA256Digest(bytes: hash.finalize()).hex
    }

    private static let statisticsWords: Set<[String]> = [
        ["table", "sqlite_stat1", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"],
        [
            "table", "sqlite_stat4", "sqlite_stat4",
            "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
        ],
    ]

    /// The tables that SQLite's `ANALYZE` creates, depending on how SQLite was built. They only
    /// advise its query planner.
    private static let statistics: Set<Object> = [
        Object(
            type: "table", name: "sqlite_stat1", table: "sqlite_stat1",
            sql: normalized("CREATE TABLE sqlite_stat1(tbl,idx,stat)")),
        Object(
            type: "table", name: "sqlite_stat4", table: "sqlite_stat4",
            sql: normalized("CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)")),
    ]

    /// Returns a description of the first difference from the expected schema, or nil if there is
    /// none.
    func difference(from expected: SchemaSnapshot) -> String? {
        let found = Set(objects).subtracting(Self.statistics)
        let wanted = Set(expected.objects).subtracting(Self.statistics)
        if let missing = wanted.subtracting(found).map(\.words).min() {
            let exists = objects.contains { missing == $0.words }
            return exists ? "\(missing) differs" : "there is no \(missing)"
        }
        if let other = found.subtracting(wanted).map(\.words).min() {
            return "unexpected \(other)"
        }
        guard objects.count == Set(objects).count else { return "duplicate objects" }
        return steps == expected.steps ? nil : "the list of schema versions differs"
    }

    /// Normalises a statement: single spaces between tokens, unquoted words in lower case, no
    /// comments. Versions of SQLite may differ in these respects.
    static func normalized(_ sql: String) -> String {
        var words = SQLTokenizer(sql)
        var result = ""
        result.reserveCapacity(sql.utf8.count)
        while let word = words.next() {
            if !result.isEmpty { result += " " }
            result += word
        }
        return result
    }
}

extension SchemaSnapshot.Object {
    /// The description for messages. An unusual name is withheld, because it is untrusted.
    fileprivate var words: String {
        let isPlain = (type + name).utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == 0x5F
        }
        return isPlain && name.utf8.count <= 64 ? "\(type) \(name)" : "object with an odd name"
    }
}

/// Splits an SQL statement into tokens, as far as a comparison needs it.
private struct SQLTokenizer {
    private let bytes: [UInt8]
    private var place = 0

    init(_ sql: String) { bytes = Array(sql.utf8) }

    /// Returns the next word, literal or symbol, or nil at the end.
    mutating func next() -> String? {
        skipBlanks()
        guard place < bytes.count else { return nil }
        let start = place
        let first = bytes[place]
        place += 1
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): skip(to: first)
        case UInt8(ascii: "["): skip(to: UInt8(ascii: "]"))
        case _ where Self.isWord(first):
            while place < bytes.count, Self.isWord(bytes[place]) { place += 1 }
            return String(decoding: bytes[start..<place].map(Self.lowercase), as: UTF8.self)
        default: break
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func skip(to end: UInt8) {
        while place < bytes.count, bytes[place] != end { place += 1 }
        place = min(place + 1, bytes.count)
    }

    private mutating func skipBlanks() {
        while place < bytes.count {
            if [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(bytes[place]) {
                place += 1
            } else if bytes[place...].starts(with: "--".utf8) {
                while place < bytes.count, bytes[place] != 0x0A { place += 1 }
            } else if bytes[place...].starts(with: "/*".utf8) {
                place += 2
                while place < bytes.count, !bytes[place...].starts(with: "*/".utf8) { place += 1 }
                place = min(place + 2, bytes.count)
            } else {
                return
            }
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || byte == 0x5F || byte == 0x24 || byte >= 0x80
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
    }
}
