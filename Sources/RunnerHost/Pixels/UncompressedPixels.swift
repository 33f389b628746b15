// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

/// Uncompressed pixels that a runner wrote into memory.
package struct UncompressedPixels: Sendable {
    package let buffer: PixelBuffers.Buffer
    package let layout: UncompressedLayout
    /// The original's RGB profile, if the pixels are in it and the runner was not given it.
    package var profile: OpenFile?
    /// The size of the picture that these pixels are a reduction of, or `nil` if it is unknown.
    package let fullSize: PixelSize?
    /// The frame of a video that the pixels show, as reported by the media runner.
    package var moment: FrameIdentity?

    package init(
        buffer: PixelBuffers.Buffer, layout: UncompressedLayout, profile: OpenFile? = nil,
        fullSize: PixelSize?, moment: FrameIdentity? = nil
    ) {
        self.buffer = buffer
        self.layout = layout
        self.profile = profile
        self.fullSize = fullSize
        self.moment = moment
    }
}
