// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The result of decoding frames without keeping them.
package struct DecodedFrames: Codable, Hashable, Sendable {
    /// The number of decoded frames.
    package var count: Int
    /// The number of damaged frames since the video was opened.
    package var damagedCount: Int
    /// The number of decoder failures since the video was opened that produced no frame.
    package var lossCount: Int
    /// The missing duration in seconds between the last frame and the end recorded in the index; 0 if more frames
    /// may follow.
    package var missing: Double
    /// Notes for the user since the video was opened.
    package var notes: [String]

    /// Creates a result from its properties.
    package init(
        count: Int, damagedCount: Int, lossCount: Int, missing: Double, notes: [String] = []
    ) {
        self.count = count
        self.damagedCount = damagedCount
        self.lossCount = lossCount
        self.missing = missing
        self.notes = notes
    }
}
