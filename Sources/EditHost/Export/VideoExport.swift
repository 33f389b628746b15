// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

/// The settings for encoding exported videos.
public struct VideoExport: Sendable {
    /// The codec of the video track.
    public enum Codec: String, Sendable, CaseIterable {
        /// H.264, High profile.
        case h264
        /// HEVC, Main profile.
        case hevc
    }

    /// The encoder's trade-off between speed and file size, starting with the fastest, under the names of x264 and
    /// x265.
    public enum Preset: String, Sendable, CaseIterable {
        case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow
    }

    /// The codec of the video track.
    public var codec: Codec
    /// The encoder's trade-off between speed and file size; nil means ``Preset/medium``.
    public var preset: Preset?
    /// The constant rate factor, 0 (best) to 51; nil means 18.
    public var quality: Int?
    /// The maximum height, in pixels, never enlarging the video; nil means the full height.
    public var height: Int?

    /// Creates settings. Each argument is the property of its name.
    public init(
        codec: Codec = .h264, quality: Int? = nil, height: Int? = nil, preset: Preset? = nil
    ) {
        self.codec = codec
        self.preset = preset
        self.quality = quality
        self.height = height
    }

    var settings: VideoSettings {
        get throws {
            guard quality.map((0...51).contains) ?? true else {
                throw HostError(.badRequest, "the rate factor of a video must be from 0 to 51")
            }
            guard height.map((16...16384).contains) ?? true else {
                throw HostError(.badRequest, "the height of a video must be from 16 to 16384")
            }
            var settings = VideoSettings(codec: codec == .h264 ? .h264 : .hevc)
            if let quality { settings.quality = quality }
            if let preset { settings.preset = preset.rawValue }
            settings.height = height
            return settings
        }
    }
}
