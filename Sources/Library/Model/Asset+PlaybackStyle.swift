// SPDX-License-Identifier: Apache-2.0

extension Asset {
    /// How an asset is shown. The raw values are those of PhotoKit's `PHAsset.PlaybackStyle`.
    public enum PlaybackStyle: Int, Hashable, Sendable, CaseIterable {
        /// In no way that is known, as a sound.
        case unsupported = 0
        /// As a still picture.
        case image = 1
        /// As an animated picture.
        case imageAnimated = 2
        /// As a Live Photo: a still picture that moves when it is touched.
        case livePhoto = 3
        /// As a video.
        case video = 4
        /// As a video in a loop.
        case videoLooping = 5
    }

    /// How its current version is shown. This version of the library edits stills only: what moved
    /// is a still picture once it is edited, until it is reverted.
    public var playbackStyle: PlaybackStyle {
        switch mediaType {
        case .video: return .video
        case .audio, .unknown: return .unsupported
        case .image:
            if hasAdjustments { return .image }
            if mediaSubtypes.contains(.photoLive) { return .livePhoto }
            return mediaSubtypes.contains(.animated) ? .imageAnimated : .image
        }
    }
}
