// SPDX-License-Identifier: Apache-2.0

import GRDB
import Glibc

/// What predicates need of SQL and SQLite does not have.
enum SearchFunctions {
    /// Makes the functions known to a connection.
    static func add(to database: Database) {
        database.add(function: textFunction("text_contains", contains))
        database.add(function: textFunction("text_begins", begins))
        database.add(
            function: DatabaseFunction("distance", argumentCount: 4, pure: true) { values in
                let numbers = values.compactMap { Double.fromDatabaseValue($0) }
                guard numbers.count == 4 else { return nil }
                return distance(numbers[0], numbers[1], numbers[2], numbers[3])
            })
    }

    private static func textFunction(
        _ name: String, _ body: @escaping @Sendable (String, String) -> Bool
    ) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 2, pure: true) { values in
            guard let text = String.fromDatabaseValue(values[0]),
                let part = String.fromDatabaseValue(values[1])
            else { return false }
            return body(text, part)
        }
    }

    /// Whether a text has a part in it, which is in lower case. Characters that are composed
    /// differently but are the same count as the same.
    static func contains(_ text: String, _ part: String) -> Bool {
        if part.isEmpty { return true }
        if let text = asciiLowercase(text), part.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.contains(part.utf8)
        }
        return Array(text.lowercased()).contains(Array(part))
    }

    /// Whether a text begins with a part, which is in lower case.
    static func begins(_ text: String, _ part: String) -> Bool {
        text.lowercased().starts(with: part)
    }

    private static func asciiLowercase(_ text: String) -> [UInt8]? {
        var bytes = Array(text.utf8)
        for index in bytes.indices {
            if bytes[index] >= 0x80 { return nil }
            if (0x41...0x5A).contains(bytes[index]) { bytes[index] += 0x20 }
        }
        return bytes
    }

    /// The distance of two positions in metres, on a sphere of Earth's mean radius.
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
