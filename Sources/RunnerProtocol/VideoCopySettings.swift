// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The settings of a video to be copied packet by packet.
package struct VideoCopySettings: Codable, Hashable, Sendable {
    /// The container: `quickTime`, `mp4` or `matroska`.
    package var format: MediaFormat
    /// The part to copy, selected by the midpoint of each frame's interval. Nil means the whole video.
    package var part: FrameTiming?
    /// The content identifier to write to a MOV. Nil keeps the existing one, if any.
    package var contentIdentifier: String?
    /// The capture time of a Live Photo's still in seconds from the start, for a MOV whose tracks do not record it.
    /// Nil if they do, or if it is unknown.
    package var stillTime: Double?
    /// The metadata to omit, including the corresponding timed metadata. Nil means none.
    package var omittedMetadata: EncodeSettings.OmittedMetadata?

    /// Creates settings from their properties.
    package init(format: MediaFormat, part: FrameTiming? = nil) {
        self.format = format
        self.part = part
    }
}
