// SPDX-License-Identifier: Apache-2.0

/// The way in which an asset is presented. The raw values are those of `PHAssetPlaybackStyle`.
public enum PlaybackStyle: Int, Sendable {
    /// An unknown kind of asset.
    case unsupported = 0
    /// A still picture.
    case image = 1
    /// An animated picture.
    case imageAnimated = 2
    /// A Live Photo.
    case livePhoto = 3
    /// A video.
    case video = 4
    /// A looping video.
    case videoLooping = 5
}
