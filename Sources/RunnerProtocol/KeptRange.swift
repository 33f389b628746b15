// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The part of a video that an edit keeps.
package struct KeptRange: Codable, Hashable, Sendable {
    /// The start and the duration of the part.
    package var timing: FrameTiming
    /// Whether the frames are unchanged.
    package var leavesFrames: Bool

    /// Creates a range from its properties.
    package init(timing: FrameTiming, leavesFrames: Bool) {
        self.timing = timing
        self.leavesFrames = leavesFrames
    }
}
