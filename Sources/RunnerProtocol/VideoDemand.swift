// SPDX-License-Identifier: Apache-2.0

/// A demand of an extension for the video of its input.
package enum VideoDemand: Codable, Hashable, Sendable {
    /// The facts about the video. Supply: `opened`.
    case open
    /// The frame shown at a time in seconds from the start of the video. Supply: `frame`.
    case frame(at: Double)
    /// Samples of the sound, at most ``SoundFormat/maximumCount``. Supply: `sound`.
    case sound(first: Int64, count: Int)
}
