// SPDX-License-Identifier: Apache-2.0

/// The presentation time and duration of a frame.
package struct FrameTime: Codable, Hashable, Sendable {
    /// The presentation time in units of the video's timing.
    package var timestamp: Int64
    /// The duration in the same units; 0 if unknown.
    package var duration: Int64

    /// Creates a time from its properties.
    package init(timestamp: Int64, duration: Int64 = 0) {
        self.timestamp = timestamp
        self.duration = duration
    }
}
