// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The settings with which a video is encoded. Part of the cache key of a rendition.
package struct VideoSettings: Codable, Hashable, Sendable {
    /// The codec and its encoder.
    package enum Codec: String, Codable, Hashable, Sendable, CaseIterable {
        /// H.264, High profile, by x264.
        case h264
        /// HEVC, Main profile, by x265.
        case hevc
    }

    /// The constant rate factor if none is set.
    package static let defaultQuality = 18
    /// The preset of the encoder if none is set.
    package static let defaultPreset = "medium"

    /// The codec and its encoder.
    package var codec: Codec
    /// The constant rate factor, 0 (best) to 51.
    package var quality: Int
    /// The preset of the encoder, such as `medium`.
    package var preset: String
    /// The number of encoder threads. It affects the encoded bytes.
    package var threads: Int
    /// The height in pixels to which frames are reduced. Nil keeps the size.
    package var height: Int?
    /// Whether frames unchanged by edits are copied without encoding, if they form whole groups of pictures. Nil
    /// means that they are encoded.
    package var copiesGroups: Bool?
    /// Whether the file is for browsers: its index comes first, its sound is AAC, and it has no metadata. Nil means
    /// that it is not.
    package var isForWeb: Bool?

    /// Creates settings from their properties.
    package init(
        codec: Codec = .h264, quality: Int = defaultQuality, preset: String = defaultPreset,
        threads: Int = 4
    ) {
        self.codec = codec
        self.quality = quality
        self.preset = preset
        self.threads = threads
    }
}
