// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A video's frames and sound. This version makes none.
public struct AudiovisualAsset: Sendable {
    private init() {}
}

/// A still picture with what moved and sounded around it. This version makes none.
public struct LivePhoto: Sendable {
    private init() {}
}

extension ContentEditingInput {
    /// How the asset was shown when the edit was begun.
    public var playbackStyle: Asset.PlaybackStyle { asset.playbackStyle }
    /// The format of the original, as its bytes tell it; nil where nobody knows.
    public var contentType: MediaFormat? {
        history.original.flatMap { $0.format == .unknown ? nil : $0.format }
    }
    /// The video to edit: always nil in this version, which edits photographs.
    public var audiovisualAsset: AudiovisualAsset? { nil }
    /// The Live Photo to edit: always nil in this version, which gives its still picture.
    public var livePhoto: LivePhoto? { nil }
}
