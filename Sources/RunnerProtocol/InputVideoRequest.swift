// SPDX-License-Identifier: Apache-2.0

/// A request of an extension for the video of its input.
package enum InputVideoRequest: Codable, Hashable, Sendable {
    /// The facts about the video. Reply: `opened`.
    case open
    /// The frame shown at a time in seconds from the start of the video. Reply: `frame`.
    case frame(at: Double)
    /// Samples of the sound, at most ``SoundFormat/maximumCount``. Reply: `sound`.
    case sound(first: Int64, count: Int)
}
