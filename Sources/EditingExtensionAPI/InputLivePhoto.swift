// SPDX-License-Identifier: Apache-2.0

import Vips

/// A Live Photo that an edit starts from: the still, and the video around it. It corresponds to `PHLivePhoto`.
public struct InputLivePhoto: Sendable {
    let input: ContentEditingInput
    /// The motion with its sound.
    public let video: InputVideo
    /// The capture time of the still, in seconds from the start of the video. Nil if unknown, or if that part was
    /// trimmed.
    public let photoTime: Double?

    /// The still at display size. Throws the errors of the input's `displaySizeImage`.
    public var image: Image {
        get throws { try input.displaySizeImage }
    }
}
