// SPDX-License-Identifier: Apache-2.0

/// A reference to an asset in a change request: an ``Asset``, or the ``AssetPlaceholder`` of one
/// that the same block creates.
public protocol AssetReference: Sendable {
    /// The local identifier of the asset.
    var localIdentifier: String { get }
}

extension Asset: AssetReference {}
