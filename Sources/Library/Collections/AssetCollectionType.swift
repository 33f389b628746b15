// SPDX-License-Identifier: Apache-2.0

/// What a collection of assets is. The raw values are those of PhotoKit's
/// `PHAssetCollectionType`, which has no number for `transient`.
public enum AssetCollectionType: Int, Hashable, Sendable, CaseIterable {
    /// Made by the user: the assets that were put into it, in the user's order.
    case album = 1
    /// Whatever meets a condition, at any time.
    case smartAlbum = 2
    /// What was taken on one day at one place.
    case moment = 3
    /// Made by a program for itself; the library does not know it.
    case transient = 4

    /// The case's name.
    public var name: String { String(describing: self) }
}
