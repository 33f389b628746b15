// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The video that an extension can read as part of its input.
package struct InputVideoFacts: Codable, Hashable, Sendable {
    /// The size of the frames in pixels.
    package var size: PixelSize
    /// The timing of the frames.
    package var timing: FrameTiming
    /// The format of the sound, or nil if there is none that can be decoded.
    package var sound: SoundFormat?
    /// The capture time of a Live Photo's still, in seconds from the start of the video. Nil if unknown, and for
    /// other videos.
    package var stillTime: Double?

    /// Creates a description from its properties.
    package init(
        size: PixelSize, timing: FrameTiming, sound: SoundFormat?, stillTime: Double?
    ) {
        self.size = size
        self.timing = timing
        self.sound = sound
        self.stillTime = stillTime
    }
}
