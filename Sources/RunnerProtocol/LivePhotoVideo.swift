// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The video of a Live Photo that is being edited.
package struct LivePhotoVideo: Codable, Hashable, Sendable {
    /// The capture time of the still, in seconds from the start of the whole video. Nil if unknown.
    package var stillTime: Double?
    /// The start of the whole video, in units of its timing.
    package var start: Int64

    /// Creates a description from its properties.
    package init(stillTime: Double?, start: Int64) {
        self.stillTime = stillTime
        self.start = start
    }
}
