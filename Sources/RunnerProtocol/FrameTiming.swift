// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The time base, start and duration of a video.
package struct FrameTiming: Codable, Hashable, Sendable {
    /// The numerator of the time base: a unit is `numerator` / `denominator` seconds. Both are at least 1.
    package var numerator: Int32
    /// The denominator of the time base. See ``numerator``.
    package var denominator: Int32
    /// The origin of the video's times, in units. As in players, the first frame is shown at this time or later.
    package var start: Int64
    /// The duration of the whole video, in units.
    package var duration: Int64

    /// Creates a timing from its properties.
    package init(numerator: Int32, denominator: Int32, start: Int64, duration: Int64) {
        self.numerator = numerator
        self.denominator = denominator
        self.start = start
        self.duration = duration
    }

    /// Returns the time of a timestamp in seconds from the origin.
    package func seconds(_ timestamp: Int64) -> Double {
        (Double(timestamp) - Double(start)) * Double(numerator) / Double(max(1, denominator))
    }

    /// The duration of the whole video in seconds.
    package var length: Double {
        Double(duration) * Double(numerator) / Double(max(1, denominator))
    }

    /// Returns the time in seconds from the start of one frame to the end of another. Timestamps are untrusted and
    /// may have any value.
    package func seconds(from first: FrameTime, through last: FrameTime) -> Double {
        (Double(last.timestamp) - Double(first.timestamp) + Double(last.duration))
            * Double(numerator) / Double(max(1, denominator))
    }
}
