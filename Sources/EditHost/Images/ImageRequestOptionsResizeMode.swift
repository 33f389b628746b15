// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The precision of a picture's size. The raw values are those of PhotoKit's `PHImageRequestOptionsResizeMode`.
public enum ImageRequestOptionsResizeMode: Int, Hashable, Sendable {
    /// The picture has the size of the version.
    case none = 0
    /// The picture has at least the requested size and less than twice that, whichever is quickest.
    case fast = 1
    /// The picture has exactly the requested size.
    case exact = 2
}
