// SPDX-License-Identifier: Apache-2.0

/// A body that selects assets, and has no other members.
struct SelectionBody: Decodable, Sendable {
    let selection: RequestedAssets

    init(from decoder: any Decoder) throws {
        try UnknownKeys.reject(decoder, known: RequestedAssets.members)
        selection = try RequestedAssets(from: decoder)
    }
}
