// SPDX-License-Identifier: Apache-2.0

/// A JSON object that keeps the order of its members. Members without a value are `null`.
///
/// Commands print these objects with `--json`, and the studio sends them to the browser.
package struct JSONRow: Encodable, ExpressibleByDictionaryLiteral {
    private var members: [(key: String, value: (any Encodable)?)]

    package init(_ members: [(key: String, value: (any Encodable)?)]) { self.members = members }

    package init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
        members = elements.map { (key: $0.0, value: $0.1) }
    }

    /// Returns the row followed by the members of another one.
    package func adding(_ other: JSONRow?) -> JSONRow {
        var row = self
        row.members += other?.members ?? []
        return row
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberKey.self)
        for (key, value) in members {
            if let value {
                try container.encode(value, forKey: MemberKey(stringValue: key))
            } else {
                try container.encodeNil(forKey: MemberKey(stringValue: key))
            }
        }
    }

    private struct MemberKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { return nil }
    }
}
