// SPDX-License-Identifier: Apache-2.0

/// What names an asset in a change request: an ``Asset``, or the ``AssetPlaceholder`` of one that
/// the same block makes.
public protocol AssetReference: Sendable {
    /// The asset's identifier.
    var localIdentifier: String { get }
}

extension Asset: AssetReference {}
extension AssetPlaceholder: AssetReference {}
