// SPDX-License-Identifier: Apache-2.0

/// The PhotoKit name of ``MediaType``.
public typealias AssetMediaType = MediaType

/// The media type of an asset.
///
/// The raw values are those of PhotoKit's `PHAssetMediaType`.
public enum MediaType: Int, Codable, Hashable, Sendable, CaseIterable {
    /// Any other type.
    case unknown = 0
    /// A still image.
    case image = 1
    /// A video.
    case video = 2
    /// A sound recording.
    case audio = 3

    /// The name in JSON, in manifests and on the command line.
    public var name: String {
        switch self {
        case .unknown: "unknown"
        case .image: "image"
        case .video: "video"
        case .audio: "audio"
        }
    }
}
