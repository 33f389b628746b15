// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The time base, start and duration of a video.
package struct FrameTiming: Codable, Hashable, Sendable {
    /// The numerator of the time base: a unit is `numerator` / `denominator` seconds. Both are at least 1.
    package var numerator: Int32
    /// The denominator of the time base. See ``numerator``.
    package var denominator: Int32
    /// The origin of the video's times, in units. Like players, the first frame is shown then or later.
    package var start: Int64
    /// The duration of the whole video, in units.
    package var duration: Int64

    /// Creates a timing from its properties.
    package init(numerator: Int32, denominator: Int32, start: Int64, duration: Int64) {
        self.numerator = numerator
        self.denominator = denominator
        self.start = start
        self.duration = duration
    }

    /// Returns the time of a timestamp in seconds from the origin.
    package func seconds(_ timestamp: Int64) -> Double {
        (Double(timestamp) - Double(start)) * Double(numerator) / Double(max(1, denominator))
    }

    /// The duration of the whole video in seconds.
    package var length: Double {
        Double(duration) * Double(numerator) / Double(max(1, denominator))
    }

    /// Returns the time in seconds from the start of one frame to the end of another. Timestamps are untrusted and
    /// may have any value.
    package func seconds(from first: FrameTime, through last: FrameTime) -> Double {
        (Double(last.timestamp) - Double(first.timestamp) + Double(last.duration))
            * Double(numerator) / Double(max(1, denominator))
    }
}

/// The presentation time and duration of a frame.
package struct FrameTime: Codable, Hashable, Sendable {
    /// The presentation time in units of the video's timing.
    package var timestamp: Int64
    /// The duration in the same units; 0 if unknown.
    package var duration: Int64

    /// Creates a time from its properties.
    package init(timestamp: Int64, duration: Int64 = 0) {
        self.timestamp = timestamp
        self.duration = duration
    }
}

/// The part of a video that an edit keeps.
package struct KeptRange: Codable, Hashable, Sendable {
    /// The start and the duration of the part.
    package var timing: FrameTiming
    /// Whether the frames are unchanged.
    package var leavesFrames: Bool

    /// Creates a range from its properties.
    package init(timing: FrameTiming, leavesFrames: Bool) {
        self.timing = timing
        self.leavesFrames = leavesFrames
    }
}

/// The identity of a video frame that a picture shows.
package struct FrameMoment: Codable, Hashable, Sendable {
    /// The timing of the video.
    package var timing: FrameTiming
    /// The presentation time of the frame.
    package var time: FrameTime

    /// Creates a moment from its properties.
    package init(_ timing: FrameTiming, _ time: FrameTime) {
        self.timing = timing
        self.time = time
    }
}

/// The result of decoding frames without keeping them.
package struct DecodedFrames: Codable, Hashable, Sendable {
    /// The number of decoded frames.
    package var count: Int
    /// The number of damaged frames since the video was opened.
    package var damagedCount: Int
    /// The number of decoder failures since the video was opened that produced no frame.
    package var lossCount: Int
    /// The missing duration in seconds between the last frame and the end recorded in the index; 0 if more frames
    /// may follow.
    package var missing: Double
    /// Notes for the user since the video was opened.
    package var notes: [String]

    /// Creates a result from its properties.
    package init(
        count: Int, damagedCount: Int, lossCount: Int, missing: Double, notes: [String] = []
    ) {
        self.count = count
        self.damagedCount = damagedCount
        self.lossCount = lossCount
        self.missing = missing
        self.notes = notes
    }
}

/// The video of a Live Photo that is being edited.
package struct LivePhotoVideo: Codable, Hashable, Sendable {
    /// The capture time of the still, in seconds from the start of the whole video. Nil if unknown.
    package var stillTime: Double?
    /// The start of the whole video, in units of its timing.
    package var start: Int64

    /// Creates a description from its properties.
    package init(stillTime: Double?, start: Int64) {
        self.stillTime = stillTime
        self.start = start
    }
}

/// The properties of an open video and of the frames it delivers: upright, with square pixels, in sRGB.
package struct OpenedVideo: Codable, Hashable, Sendable {
    /// The memory layout of a frame.
    package var layout: RawLayout
    /// The size of the frames before reduction.
    package var fullSize: PixelSize
    /// The timing of the video.
    package var timing: FrameTiming
    /// The presentation time of the first frame, in units of the timing.
    package var first: Int64
    /// Warnings for the user.
    package var warnings: [String]

    /// Creates a description from its properties.
    package init(
        layout: RawLayout, fullSize: PixelSize, timing: FrameTiming, first: Int64,
        warnings: [String]
    ) {
        self.layout = layout
        self.fullSize = fullSize
        self.timing = timing
        self.first = first
        self.warnings = warnings
    }
}

/// A frame to be processed by extensions.
package struct FrameJob: Codable, Hashable, Sendable {
    /// The presentation time and duration of the frame.
    package var time: FrameTime
    /// The memory layout of the frame.
    package var layout: RawLayout
    /// The required layout of the result in the accompanying memory. Nil if no memory was sent; the answer is then
    /// `outputNeeded`.
    package var output: RawLayout?

    /// Creates a job from its properties.
    package init(time: FrameTime, layout: RawLayout, output: RawLayout?) {
        self.time = time
        self.layout = layout
        self.output = output
    }
}

extension RawLayout {
    /// The maximum side of a video frame in pixels, for decoding and encoding.
    package static let maximumFrameSide = 16384
    /// The maximum number of pixels in a frame.
    package static let maximumFramePixels = 1 << 27

    /// Whether the size is within the limits of video frames.
    package var isFrame: Bool {
        let sides = 1...Self.maximumFrameSide
        return pixelFormat == .rgb8 && sides.contains(width) && sides.contains(height)
            && width * height <= Self.maximumFramePixels
    }
}

/// The settings of a video to be written.
package struct VideoWriting: Codable, Hashable, Sendable {
    /// The number of bytes after a frame's pixels that must be readable, because libswscale reads in blocks.
    package static let readAhead = 128

    /// The encoder settings.
    package var settings: VideoSettings
    /// The container: `quickTime`, `mp4` or `matroska`.
    package var format: MediaFormat
    /// The width of the frames in pixels. An odd side loses its last column or row.
    package var width: Int
    /// The height of the frames in pixels.
    package var height: Int
    /// The timing of the frames.
    package var timing: FrameTiming
    /// The start of the part of the original to write. The new video starts there, and ends with the last frame.
    /// Nil means the whole original.
    package var partStart: Int64?
    /// The end of that part, for its chapters.
    package var partEnd: Int64?
    /// The factor of the sound's volume, 0...1; 0 removes the sound. Nil copies it unchanged.
    package var volume: Double?

    /// Creates settings from their properties.
    package init(
        settings: VideoSettings, format: MediaFormat, width: Int, height: Int, timing: FrameTiming
    ) {
        self.settings = settings
        self.format = format
        self.width = width
        self.height = height
        self.timing = timing
    }
}

/// The settings with which a video is encoded. Part of the cache key of a rendition.
package struct VideoSettings: Codable, Hashable, Sendable {
    /// The codec and its encoder.
    package enum Codec: String, Codable, Hashable, Sendable, CaseIterable {
        /// H.264, High profile, by x264.
        case h264
        /// HEVC, Main profile, by x265.
        case hevc
    }

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

    /// Creates settings from their properties.
    package init(
        codec: Codec = .h264, quality: Int = 18, preset: String = "medium", threads: Int = 4
    ) {
        self.codec = codec
        self.quality = quality
        self.preset = preset
        self.threads = threads
    }
}

/// The settings of a video to be copied packet by packet.
package struct VideoCopying: Codable, Hashable, Sendable {
    /// The container: `quickTime`, `mp4` or `matroska`.
    package var format: MediaFormat
    /// The part to copy, selected by the midpoint of each frame's interval. Nil means the whole video.
    package var part: FrameTiming?
    /// The content identifier to write to a MOV. Nil keeps the existing one, if any.
    package var contentIdentifier: String?
    /// The capture time of a Live Photo's still in seconds from the start, for a MOV whose tracks do not record it.
    /// Nil if they do, or if it is unknown.
    package var stillTime: Double?
    /// The metadata to omit, including the corresponding timed metadata. Nil means none.
    package var omittedMetadata: EncodeSettings.OmittedMetadata?

    /// Creates settings from their properties.
    package init(format: MediaFormat, part: FrameTiming? = nil) {
        self.format = format
        self.part = part
    }
}

/// The result of copying a video.
package struct CopiedVideo: Codable, Hashable, Sendable {
    /// The duration of the copy in seconds.
    package var duration: Double
    /// Warnings for the user.
    package var warnings: [String]

    /// Creates a result from its properties.
    package init(duration: Double, warnings: [String]) {
        self.duration = duration
        self.warnings = warnings
    }
}
