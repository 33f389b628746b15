// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The host's answer to a ``InputVideoRequest``.
package enum InputVideoReply: Codable, Hashable, Sendable {
    /// The facts about the video.
    case opened(InputVideoFacts)
    /// A frame, whose pixels are in `reusedBase`, and the time of the following one; nil if it is the last.
    case frame(UncompressedLayout, FrameTime, next: FrameTime?)
    /// The samples are in `reusedBase`.
    case sound
    /// The reason why the request cannot be answered.
    case failed(RunnerFailure)
}
