// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A kind of asset collection. The raw values are those of PhotoKit's `PHAssetCollectionType`,
/// which has no value for `transient`.
public enum AssetCollectionType: Int, Hashable, Sendable, CaseIterable {
    /// A collection made by the user, with the assets that were added to it, in the user's order.
    case album = 1
    /// A collection of all assets that currently meet a condition.
    case smartAlbum = 2
    /// A collection of assets captured on one day at one place.
    case moment = 3
    /// A collection made by an application in memory. It is not stored in the library.
    case transient = 4

    /// The name of the case.
    public var name: String { String(describing: self) }
}
