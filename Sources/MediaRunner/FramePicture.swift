// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import ImageMetadata
import RunnerProtocol

/// A decoded frame, upright.
struct FramePicture {
    let pixels: [UInt8]
    let layout: UncompressedLayout
    /// The size of the frame before it was scaled down.
    let fullSize: PixelSize
}
