// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Assets that are known before the fetch, each once, in an order of their own.
struct PreselectedAssets: Sendable {
    /// A JSON array of row IDs or identifiers.
    let json: String
    private let column: String

    /// Selects assets by their row IDs.
    init(rows: [Int64]) {
        json = rows.json
        column = "id"
    }

    /// Selects assets by their identifiers.
    init(identifiers: [String]) {
        let texts = (try? JSONEncoder().encode(identifiers)) ?? Data("[]".utf8)
        json = String(decoding: texts, as: UTF8.self)
        column = "uuid"
    }

    /// The `FROM` clause. Its placeholder takes the JSON array.
    var source: String { "json_each(?) AS given CROSS JOIN asset ON asset.\(column) = given.value" }
}
