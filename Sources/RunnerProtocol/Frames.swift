// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// How the times of a video's frames are counted.
package struct FrameTiming: Codable, Hashable, Sendable {
    /// A unit is `numerator` / `denominator` seconds; both are at least 1.
    package var numerator: Int32
    /// See ``numerator``.
    package var denominator: Int32
    /// What times are counted from, in units: as players do, which show the first frame then or later.
    package var start: Int64
    /// How long the whole lasts, in units.
    package var duration: Int64

    /// Makes a timing; every argument is the property of its name.
    package init(numerator: Int32, denominator: Int32, start: Int64, duration: Int64) {
        self.numerator = numerator
        self.denominator = denominator
        self.start = start
        self.duration = duration
    }

    /// Seconds from the beginning to a timestamp.
    package func seconds(_ timestamp: Int64) -> Double {
        (Double(timestamp) - Double(start)) * Double(numerator) / Double(max(1, denominator))
    }

    /// How long the whole lasts, in seconds.
    package var length: Double {
        Double(duration) * Double(numerator) / Double(max(1, denominator))
    }

    /// Seconds from the beginning of a frame to the end of another. Numbers of a file may be anything.
    package func seconds(from first: FrameTime, through last: FrameTime) -> Double {
        (Double(last.timestamp) - Double(first.timestamp) + Double(last.duration))
            * Double(numerator) / Double(max(1, denominator))
    }
}

/// When one frame is shown, and for how long.
package struct FrameTime: Codable, Hashable, Sendable {
    /// As the video counts, in units of its timing.
    package var timestamp: Int64
    /// In the same units; 0: not known.
    package var duration: Int64

    /// Makes a time; every argument is the property of its name.
    package init(timestamp: Int64, duration: Int64 = 0) {
        self.timestamp = timestamp
        self.duration = duration
    }
}

/// What an edit keeps of a video.
package struct KeptRange: Codable, Hashable, Sendable {
    /// When it begins, how long it lasts.
    package var timing: FrameTiming
    /// Whether the frames stay as they are.
    package var leavesFrames: Bool

    /// Makes a range; both arguments are the properties of their names.
    package init(timing: FrameTiming, leavesFrames: Bool) {
        self.timing = timing
        self.leavesFrames = leavesFrames
    }
}

/// Which frame of a video a picture is.
package struct FrameMoment: Codable, Hashable, Sendable {
    /// How the video counts.
    package var timing: FrameTiming
    /// When the frame is shown.
    package var time: FrameTime

    /// Makes a moment; both arguments are the properties of their names.
    package init(_ timing: FrameTiming, _ time: FrameTime) {
        self.timing = timing
        self.time = time
    }
}

/// What came of decoding frames that nobody wants.
package struct DecodedFrames: Codable, Hashable, Sendable {
    /// How many there were.
    package var count: Int
    /// How many frames, since the video was opened, are damaged.
    package var damagedCount: Int
    /// How often, since then, the decoder could make no frame of what it was given.
    package var lossCount: Int
    /// How long before the end that the index says the last one ends, in seconds; 0 where more may come.
    package var missing: Double
    /// What the user should know of those since then.
    package var notes: [String]

    /// Makes one; the arguments are the properties of their names.
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

/// The Live Photo whose video is edited.
package struct LivePhotoVideo: Codable, Hashable, Sendable {
    /// When its still was taken, in seconds from the beginning of the whole video; nil: not known.
    package var stillTime: Double?
    /// When the whole video begins, in units of its timing.
    package var start: Int64

    /// Makes one; both arguments are the properties of their names.
    package init(stillTime: Double?, start: Int64) {
        self.stillTime = stillTime
        self.start = start
    }
}

/// A video that is open, as its frames will come: upright, with square pixels, in sRGB.
package struct OpenedVideo: Codable, Hashable, Sendable {
    /// How the pixels of a frame lie in memory.
    package var layout: RawLayout
    /// The size of the frames before they were reduced.
    package var fullSize: PixelSize
    /// How its times are counted.
    package var timing: FrameTiming
    /// When its first frame is shown, in units of its timing.
    package var first: Int64
    /// What the user should know of it.
    package var warnings: [String]

    /// Makes a description; every argument is the property of its name.
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

/// A frame that extensions work on.
package struct FrameJob: Codable, Hashable, Sendable {
    /// When it is shown.
    package var time: FrameTime
    /// How its pixels lie in memory.
    package var layout: RawLayout
    /// How those of the result have to lie in the memory that came along; nil: none came, and the answer is
    /// `outputNeeded`.
    package var output: RawLayout?

    /// Makes a job; every argument is the property of its name.
    package init(time: FrameTime, layout: RawLayout, output: RawLayout?) {
        self.time = time
        self.layout = layout
        self.output = output
    }
}

extension RawLayout {
    /// The longest side of a video's frames, in pixels: more is neither decoded nor encoded.
    package static let maximumFrameSide = 16384
    /// The most pixels of a frame.
    package static let maximumFramePixels = 1 << 27

    /// Whether it is one of frames that videos can have.
    package var isFrame: Bool {
        let sides = 1...Self.maximumFrameSide
        return pixelFormat == .rgb8 && sides.contains(width) && sides.contains(height)
            && width * height <= Self.maximumFramePixels
    }
}

/// A video that is to be written.
package struct VideoWriting: Codable, Hashable, Sendable {
    /// Bytes that can be read behind a frame's pixels: libswscale reads these in blocks.
    package static let readAhead = 128

    /// How it is encoded.
    package var settings: VideoSettings
    /// `quickTime`, `mp4` or `matroska`.
    package var format: MediaFormat
    /// Width of the frames that come, in pixels; an odd side loses its last column or row.
    package var width: Int
    /// Their height, in pixels.
    package var height: Int
    /// How their times are counted.
    package var timing: FrameTiming
    /// If a part of the original is written: when that begins there; the new video begins with it, and ends with the
    /// last frame. Nil: all of it is.
    package var partStart: Int64?
    /// When that part ends, for its chapters.
    package var partEnd: Int64?
    /// What the sound is multiplied by, 0...1; 0: there is none. Nil: it stays as it is.
    package var volume: Double?

    /// Makes one; every argument is the property of its name.
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

/// How a video is encoded. Part of a rendition's key.
package struct VideoSettings: Codable, Hashable, Sendable {
    /// What encodes it.
    package enum Codec: String, Codable, Hashable, Sendable, CaseIterable {
        /// H.264, High profile, by x264.
        case h264
        /// HEVC, Main profile, by x265.
        case hevc
    }

    /// What encodes it.
    package var codec: Codec
    /// The constant rate factor, 0 (best) to 51.
    package var quality: Int
    /// The encoder's preset, such as `medium`.
    package var preset: String
    /// On how many threads; another number gives other bytes.
    package var threads: Int
    /// The height that its frames are reduced to, in pixels; nil: they stay as they are.
    package var height: Int?
    /// Whether frames that no edit changes are copied without being encoded, where they are whole groups of pictures.
    /// Nil: they are encoded.
    package var copiesGroups: Bool?

    /// Makes settings; every argument is the property of its name.
    package init(
        codec: Codec = .h264, quality: Int = 18, preset: String = "medium", threads: Int = 4
    ) {
        self.codec = codec
        self.quality = quality
        self.preset = preset
        self.threads = threads
    }
}

/// A video that is to be copied, packet for packet.
package struct VideoCopying: Codable, Hashable, Sendable {
    /// `quickTime`, `mp4` or `matroska`.
    package var format: MediaFormat
    /// The part to copy, by the middle of each frame's time; nil: all of it.
    package var part: FrameTiming?
    /// Of a MOV: the content identifier that it says in place of its own; nil: its own, if it has one.
    package var contentIdentifier: String?
    /// Of a MOV whose tracks do not say when a Live Photo's still was taken: when that was, in seconds from the beginning;
    /// nil: they say it, or nobody knows.
    package var stillTime: Double?
    /// What it leaves out of what the video says, and its timed metadata with that; nil: nothing.
    package var omittedMetadata: EncodeSettings.OmittedMetadata?

    /// Makes one; both arguments are the properties of their names.
    package init(format: MediaFormat, part: FrameTiming? = nil) {
        self.format = format
        self.part = part
    }
}

/// A copy of a video.
package struct CopiedVideo: Codable, Hashable, Sendable {
    /// How long it lasts, in seconds.
    package var duration: Double
    /// What the user should know of it.
    package var warnings: [String]

    /// Makes one; both arguments are the properties of their names.
    package init(duration: Double, warnings: [String]) {
        self.duration = duration
        self.warnings = warnings
    }
}
