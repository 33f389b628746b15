// SPDX-License-Identifier: Apache-2.0

/// What a video's file says of it, beside what pictures have too.
public struct VideoFacts: Codable, Hashable, Sendable {
    /// How long it is, in seconds: that of the whole file.
    public var duration: Double
    /// Frames a second, on the average; nil where that is not known.
    public var frameRate: Double?
    /// How many frames there are, as the file's index says; nil where it does not.
    public var frameCount: Int?
    /// How its pictures are compressed, by FFmpeg's name, such as `h264`.
    public var codec: String
    /// How its first track of sound is compressed, such as `aac`; nil: there is none.
    public var audioCodec: String?
    /// How many tracks of sound there are.
    public var audioTracks: Int

    /// Of a Live Photo's video: which moment its still shows, in seconds from the beginning; nil where it does not say.
    public var stillTime: Double?

    /// The longest that is believed, in seconds: a year.
    public static let maximumDuration = 366.0 * 86400

    /// Makes facts; every argument is the property of its name.
    public init(
        duration: Double, frameRate: Double? = nil, frameCount: Int? = nil, codec: String,
        audioCodec: String? = nil, audioTracks: Int = 0
    ) {
        self.duration = duration
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.codec = codec
        self.audioCodec = audioCodec
        self.audioTracks = audioTracks
    }
}
