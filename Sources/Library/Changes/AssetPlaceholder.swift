// SPDX-License-Identifier: Apache-2.0

/// Stands for an asset that a change block is about to make.
public struct AssetPlaceholder: Hashable, Sendable {
    /// The identifier that the asset will have.
    public let localIdentifier: String
}
