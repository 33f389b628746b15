// SPDX-License-Identifier: Apache-2.0

/// A place in an album.
public enum AlbumPosition: Sendable {
    /// Before all others.
    case start
    /// After all others.
    case end
    /// Directly before another asset of the album.
    case before(any AssetReference)
    /// Directly after another asset of the album.
    case after(any AssetReference)
}
