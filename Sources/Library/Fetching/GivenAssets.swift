// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Assets that are known before they are fetched, each once, in an order of their own.
struct GivenAssets: Sendable {
    /// A JSON array of what is known of them.
    let json: String
    private let column: String

    /// Takes the numbers of rows.
    init(rows: [Int64]) {
        json = rows.json
        column = "id"
    }

    /// Takes identifiers.
    init(identifiers: [String]) {
        let texts = (try? JSONEncoder().encode(identifiers)) ?? Data("[]".utf8)
        json = String(decoding: texts, as: UTF8.self)
        column = "uuid"
    }

    /// As `FROM` wants it, with the array for its question mark.
    var source: String { "json_each(?) AS given CROSS JOIN asset ON asset.\(column) = given.value" }
}
