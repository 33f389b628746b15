// SPDX-License-Identifier: Apache-2.0

import Library

extension ContentEditingInput {
    var media: InputMedia? { hostValue as? InputMedia }

    /// The video to edit, or nil if the asset is not a video or the input was not requested from the host.
    public var audiovisualAsset: AssetVideo? { media?.video }

    /// The Live Photo to edit, with a still at display size. Nil if the asset is not a Live Photo, or the input was not
    /// requested from the host or has no display-size image.
    public var livePhoto: LivePhoto? { media?.livePhoto }
}
