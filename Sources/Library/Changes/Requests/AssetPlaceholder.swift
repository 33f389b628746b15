// SPDX-License-Identifier: Apache-2.0

extension AssetPlaceholder: AssetReference {}

/// A placeholder for an asset that a change block creates.
public struct AssetPlaceholder: Hashable, Sendable {
    /// The identifier that the asset will have.
    public let localIdentifier: String
}
