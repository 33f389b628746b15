// SPDX-License-Identifier: Apache-2.0

/// The properties of a video that images do not have.
public struct VideoFacts: Codable, Hashable, Sendable {
    /// The duration of the whole file in seconds.
    public var duration: Double
    /// The average number of frames per second; `nil` if unknown.
    public var frameRate: Double?
    /// The number of frames according to the file's index; `nil` if it has none.
    public var frameCount: Int?
    /// The video codec by its FFmpeg name, such as `h264`.
    public var codec: String
    /// The codec of the first audio track, such as `aac`; `nil` if there is no audio.
    public var audioCodec: String?
    /// The number of audio tracks.
    public var audioTracks: Int

    /// The time of a Live Photo's still image in its video, in seconds from the start; `nil` if the file does
    /// not record it.
    public var stillTime: Double?

    /// The maximum plausible duration in seconds: one year. Longer durations are rejected.
    public static let maximumDuration = 366.0 * 86400

    /// Creates the properties of a video.
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
