// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The properties of an open video, and of its decoded frames, which are upright, with square pixels, in sRGB.
package struct OpenedVideo: Codable, Hashable, Sendable {
    /// The memory layout of a frame.
    package var layout: UncompressedLayout
    /// The size of the frames before reduction.
    package var fullSize: PixelSize
    /// The timing of the video.
    package var timing: FrameTiming
    /// The presentation time of the first frame, in units of the timing.
    package var first: Int64
    /// Warnings for the user.
    package var warnings: [String]
    /// The capture time of a Live Photo's still that a QuickTime file records, in seconds from its start. Nil if it
    /// records none.
    package var stillTime: Double?

    /// Creates a description from its properties.
    package init(
        layout: UncompressedLayout, fullSize: PixelSize, timing: FrameTiming, first: Int64,
        warnings: [String], stillTime: Double? = nil
    ) {
        self.layout = layout
        self.fullSize = fullSize
        self.timing = timing
        self.first = first
        self.warnings = warnings
        self.stillTime = stillTime
    }
}
