// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The scaling of a picture to the requested box. The raw values are those of PhotoKit's `PHImageContentMode`.
public enum ImageContentMode: Int, Hashable, Sendable {
    /// The picture fits into the box and keeps its aspect ratio.
    case aspectFit = 0
    /// The picture covers the box and keeps its aspect ratio. It is not cropped.
    case aspectFill = 1

    /// The default mode: ``aspectFit``.
    public static let `default` = ImageContentMode.aspectFit
}
