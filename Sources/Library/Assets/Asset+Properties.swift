// SPDX-License-Identifier: Apache-2.0

extension Asset {
    /// The presentation of an asset. The raw values are those of PhotoKit's
    /// `PHAsset.PlaybackStyle`.
    public enum PlaybackStyle: Int, Hashable, Sendable, CaseIterable {
        /// No supported presentation, as for audio.
        case unsupported = 0
        /// A still picture.
        case image = 1
        /// An animated picture.
        case imageAnimated = 2
        /// A Live Photo: a still picture with a short video, played on touch.
        case livePhoto = 3
        /// A video, played once.
        case video = 4
        /// A video, played in a loop.
        case videoLooping = 5
    }

    /// The presentation of the current version. An edited Live Photo stays one, unless only its
    /// still was edited. An edited animation is presented as a still picture until it is reverted.
    public var playbackStyle: PlaybackStyle {
        switch mediaType {
        case .video: return .video
        case .audio, .unknown: return .unsupported
        case .image:
            if mediaSubtypes.contains(.photoLive), !hidesMotion { return .livePhoto }
            if hasAdjustments { return .image }
            return mediaSubtypes.contains(.animated) ? .imageAnimated : .image
        }
    }
}
