// SPDX-License-Identifier: Apache-2.0

/// A position in an album, absolute or relative to one of its assets.
package enum AlbumPosition: Sendable {
    /// Before all other assets.
    case start
    /// After all other assets.
    case end
    /// Directly before another asset of the album.
    case before(any AssetReference)
    /// Directly after another asset of the album.
    case after(any AssetReference)
}
