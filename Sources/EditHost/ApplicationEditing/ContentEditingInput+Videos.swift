// SPDX-License-Identifier: Apache-2.0

import Library

/// The media that the host attaches to the input of an application's own edit, in addition to its picture.
struct InputMedia: Sendable {
    /// The renderer of the state that the edit starts from.
    let renderer: Renderer
    /// The video to edit, if the asset is a video.
    var video: AssetVideo?
    /// The Live Photo to edit, if the asset is one. Its still has display size.
    var livePhoto: LivePhoto?
}

extension ContentEditingInput {
    var media: InputMedia? { hostValue as? InputMedia }

    /// The video to edit, or nil if the asset is not a video or the input was not requested from the host.
    public var audiovisualAsset: AssetVideo? { media?.video }

    /// The Live Photo to edit, with a still at display size. nil if the asset is not a Live Photo, or the input was not
    /// requested from the host or has no display-size image.
    public var livePhoto: LivePhoto? { media?.livePhoto }
}
