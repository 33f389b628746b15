// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB
import GRDBSQLite
import Glibc

/// SQL functions that predicates need and SQLite does not have.
///
/// Only statements of this module can call them; the schema of a database cannot.
enum SearchFunctions {
    /// A C callback of SQLite: its context for the result, and the arguments.
    private typealias Function =
        @convention(c) (OpaquePointer?, CInt, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    /// Registers the functions with a connection.
    static func add(to database: Database) throws {
        try add("text_contains", 2, to: database) { context, _, values in
            sqlite3_result_int(
                context, SearchFunctions.compare(values, SearchFunctions.contains) ? 1 : 0)
        }
        try add("text_begins", 2, to: database) { context, _, values in
            sqlite3_result_int(
                context, SearchFunctions.compare(values, SearchFunctions.begins) ? 1 : 0)
        }
        try add("is_same_name", 2, to: database) { context, _, values in
            sqlite3_result_int(
                context, SearchFunctions.compare(values) { $0.isSameName(as: $1) } ? 1 : 0)
        }
        try add("is_in_folder", 2, to: database) { context, _, values in
            sqlite3_result_int(
                context, SearchFunctions.compare(values, SearchFunctions.isInFolder) ? 1 : 0)
        }
        try add("distance", 4, to: database) { context, _, values in
            SearchFunctions.setDistance(context, values)
        }
    }

    private static func setDistance(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        let numbers = (0..<4).compactMap { number(values?[$0]) }
        guard numbers.count == 4 else { return sqlite3_result_null(context) }
        sqlite3_result_double(context, distance(numbers[0], numbers[1], numbers[2], numbers[3]))
    }

    private static func add(
        _ name: String, _ count: CInt, to database: Database, _ function: @escaping Function
    ) throws {
        let code = sqlite3_create_function_v2(
            database.sqliteConnection, name, count,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil, function, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw LibraryError(.database, "SQLite rejected the function \(name) (\(code))")
        }
    }

    private static func compare(
        _ values: UnsafeMutablePointer<OpaquePointer?>?, _ body: (String, String) -> Bool
    ) -> Bool {
        guard let whole = text(values?[0]), let part = text(values?[1]) else { return false }
        return body(whole, part)
    }

    private static func text(_ value: OpaquePointer?) -> String? {
        guard let value, sqlite3_value_type(value) == SQLITE_TEXT,
            let bytes = sqlite3_value_text(value)
        else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    private static func number(_ value: OpaquePointer?) -> Double? {
        guard let value, [SQLITE_INTEGER, SQLITE_FLOAT].contains(sqlite3_value_type(value)) else {
            return nil
        }
        return sqlite3_value_double(value)
    }

    /// Whether a text contains a part, which must be in lower case. Unicode normalisation is
    /// ignored.
    static func contains(_ text: String, _ part: String) -> Bool {
        if part.isEmpty { return true }
        if let text = asciiLowercase(text), part.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.contains(part.utf8)
        }
        return Array(text.lowercased()).contains(Array(part))
    }

    /// Whether a text begins with a part, which must be in lower case.
    static func begins(_ text: String, _ part: String) -> Bool {
        text.lowercased().starts(with: part)
    }

    /// Whether a folder, or one above it, matches a glob pattern, as ``AssetPredicate/folder(_:)``
    /// describes it.
    static func isInFolder(_ folder: String, _ pattern: String) -> Bool {
        // Longer paths are damage, and matching their components would take quadratic time.
        guard StoredValueLimits.isFolder(folder) else { return false }
        let slash = UInt8(ascii: "/")
        let glob = String(pattern.utf8.drop { $0 == slash }) ?? pattern
        let hasName = pattern.utf8.first != slash
        var path = ""
        for name in folder.pathComponents {
            path += path.isEmpty ? name : "/" + name
            if FileName(path).isEquivalent(toGlob: glob.withoutTrailingSlashes)
                || hasName && FileName(name).isEquivalent(toGlob: glob.withoutTrailingSlashes)
            {
                return true
            }
        }
        return false
    }

    private static func asciiLowercase(_ text: String) -> [UInt8]? {
        var bytes = Array(text.utf8)
        for index in bytes.indices {
            if bytes[index] >= 0x80 { return nil }
            if (0x41...0x5A).contains(bytes[index]) { bytes[index] += 0x20 }
        }
        return bytes
    }

    /// Returns the distance of two positions in metres, on a sphere of Earth's mean radius.
    static func distance(
        _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double
    ) -> Double {
        let radian = Double.pi / 180
        let northward = sin((otherLatitude - latitude) * radian / 2)
        let eastward = sin((otherLongitude - longitude) * radian / 2)
        let chord =
            northward * northward
            + cos(latitude * radian) * cos(otherLatitude * radian) * eastward * eastward
        return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
    }
}
