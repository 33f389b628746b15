// SPDX-License-Identifier: Apache-2.0

/// How an asset is shown. The raw values are those of `PHAssetPlaybackStyle`.
public enum PlaybackStyle: Int, Sendable {
    /// In no way that is known.
    case unsupported = 0
    /// A still picture.
    case image = 1
    /// An animated picture.
    case imageAnimated = 2
    /// A Live Photo.
    case livePhoto = 3
    /// A video.
    case video = 4
    /// A video in a loop.
    case videoLooping = 5
}
