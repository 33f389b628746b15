// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The size and the encoding of the pictures in a library's thumbnail cache.
enum ThumbnailSettings {
    /// The longer side of the largest picture in the cache, in pixels.
    static let maximumSide = 1024
    /// The encoding. Pictures with alpha become WebP.
    static let encoding = EncodeSettings(format: .jpeg, quality: 85)
}
