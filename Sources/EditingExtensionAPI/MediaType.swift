// SPDX-License-Identifier: Apache-2.0

/// What kind of asset is edited. The raw values are those of `PHAssetMediaType`.
public enum MediaType: Int32, Sendable {
    /// Unknown.
    case unknown = 0
    /// A photograph.
    case image = 1
    /// A video.
    case video = 2
    /// Sound.
    case audio = 3
}
