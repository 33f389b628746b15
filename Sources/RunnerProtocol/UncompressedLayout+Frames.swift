// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension UncompressedLayout {
    /// The maximum side of a video frame in pixels, for decoding and encoding.
    package static let maximumFrameSide = 16384
    /// The maximum number of pixels in a frame.
    package static let maximumFramePixels = 1 << 27

    /// Whether the size is within the limits of video frames.
    package var isFrame: Bool {
        let sides = 1...Self.maximumFrameSide
        return pixelFormat == .rgb8 && sides.contains(width) && sides.contains(height)
            && width * height <= Self.maximumFramePixels
    }
}
