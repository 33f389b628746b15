// SPDX-License-Identifier: Apache-2.0

/// The identity of a video frame that a picture shows.
package struct FrameIdentity: Codable, Hashable, Sendable {
    /// The timing of the video.
    package var timing: FrameTiming
    /// The presentation time of the frame.
    package var time: FrameTime

    /// Creates an identity from its properties.
    package init(_ timing: FrameTiming, _ time: FrameTime) {
        self.timing = timing
        self.time = time
    }
}
