// SPDX-License-Identifier: Apache-2.0

/// PhotoKit's name of ``MediaType``.
public typealias AssetMediaType = MediaType

/// What kind of thing an asset is.
///
/// The raw values are those of PhotoKit's `PHAssetMediaType`.
public enum MediaType: Int, Codable, Hashable, Sendable, CaseIterable {
    /// None of the others.
    case unknown = 0
    /// A photograph or other still picture.
    case image = 1
    /// A video.
    case video = 2
    /// A sound recording.
    case audio = 3

    /// The name used in JSON, manifests and on the command line.
    public var name: String {
        switch self {
        case .unknown: "unknown"
        case .image: "image"
        case .video: "video"
        case .audio: "audio"
        }
    }
}
