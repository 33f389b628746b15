// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import Vips

/// The part of a video that an edit keeps. A frame is kept if the midpoint of its presentation interval lies within
/// the part.
///
/// Other frames are dropped, and for later edits the video begins with the first kept frame.
public struct KeptTime: Equatable, Sendable {
    /// The start of the kept part, in seconds from the start of the video, at least 0.
    public var start: Double
    /// The end of the kept part (exclusive), in seconds, after ``start``.
    public var end: Double
    /// True if the kept frames are unchanged, so they need not be processed.
    public var leavesFrames: Bool

    /// Creates a part from its start and end in seconds.
    public init(start: Double, end: Double, leavesFrames: Bool = false) {
        self.start = start
        self.end = end
        self.leavesFrames = leavesFrames
    }
}
