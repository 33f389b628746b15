// SPDX-License-Identifier: Apache-2.0

import Library

/// What the host gives with the input of an edit that an application makes itself, beside its picture.
struct InputMedia: Sendable {
    /// What draws the state that the edit starts from.
    let renderer: Renderer
    /// Of a video: itself.
    var video: AssetVideo?
    /// Of a Live Photo, its still for the screen.
    var livePhoto: LivePhoto?
}

extension ContentEditingInput {
    var media: InputMedia? { hostValue as? InputMedia }

    /// The video to edit; nil: the asset is none, or the input was not requested from the host.
    public var audiovisualAsset: AssetVideo? { media?.video }

    /// The Live Photo to edit, its still for the screen; nil: the asset is none, or the input was not requested from
    /// the host, or without an image for the screen.
    public var livePhoto: LivePhoto? { media?.livePhoto }
}
