// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The settings of a video to be written.
package struct VideoWriterSettings: Codable, Hashable, Sendable {
    /// The number of bytes after a frame's pixels that must be readable, because libswscale reads in blocks.
    package static let readAhead = 128

    /// The encoder settings.
    package var settings: VideoSettings
    /// The container: `quickTime`, `mp4` or `matroska`.
    package var format: MediaFormat
    /// The width of the frames in pixels. If a side is odd, its last column or row is dropped.
    package var width: Int
    /// The height of the frames in pixels.
    package var height: Int
    /// The timing of the frames.
    package var timing: FrameTiming
    /// The start of the part of the original to write. The new video starts there, and ends with the last frame.
    /// Nil means the whole original.
    package var partStart: Int64?
    /// The end of that part, for its chapters.
    package var partEnd: Int64?
    /// The factor of the sound's volume, 0...1; 0 removes the sound. Nil copies it unchanged.
    package var volume: Double?

    /// Creates settings from their properties.
    package init(
        settings: VideoSettings, format: MediaFormat, width: Int, height: Int, timing: FrameTiming
    ) {
        self.settings = settings
        self.format = format
        self.width = width
        self.height = height
        self.timing = timing
    }
}
