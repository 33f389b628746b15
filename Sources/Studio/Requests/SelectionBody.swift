// SPDX-License-Identifier: Apache-2.0

/// A body that selects assets, and has no other members.
struct SelectionBody: Decodable, Sendable {
    let selection: AssetSelection

    init(from decoder: any Decoder) throws {
        try UnknownKeys.reject(decoder, known: AssetSelection.members)
        selection = try AssetSelection(from: decoder)
    }
}
