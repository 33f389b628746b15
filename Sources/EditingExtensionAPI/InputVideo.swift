// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Vips

/// A video that an edit starts from, to be read frame by frame. It corresponds to `AVAsset` in AVFoundation.
///
/// The extension gets pixels and samples, not the file. Can be used on any thread until the edit ends; afterwards,
/// reading throws.
///
/// This calls a function with every frame:
///
/// ```swift
/// var time: Double? = 0
/// while let now = time {
///     let frame = try video.frame(at: now)
///     analyse(frame.image, at: frame.time)
///     time = frame.nextTime
/// }
/// ```
public struct InputVideo: Sendable {
    /// The duration in seconds.
    public let duration: Double
    /// The width of the frames in pixels: upright, with square pixels.
    public let width: Int
    /// The height of the frames in pixels.
    public let height: Int
    /// The sound. Nil if there is none that can be decoded.
    public let sound: InputSound?

    private let input: ContentEditingInput
    private let host: HostVideo

    init(of input: ContentEditingInput, _ video: ee_video, _ reading: ee_video_reading) {
        self.input = input
        host = HostVideo(reading: reading)
        duration = Double(video.duration) / Double(max(1, video.timescale))
        width = Int(video.width)
        height = Int(video.height)
        sound =
            video.sample_rate > 0 && video.channel_count > 0
            ? InputSound(
                sampleRate: Int(video.sample_rate), channelCount: Int(video.channel_count),
                input: input, host: host) : nil
    }

    /// Decodes the frame that is shown at a time. Reading frames in order of time is fastest.
    ///
    /// - Parameter time: The time in seconds from the start of the video. Times out of range select the first or the
    ///   last frame.
    /// - Returns: The frame at full size. It remains valid as long as its image, and can be used on any thread.
    /// - Throws: `EditingExtensionError`, with `unsupported` if the time is not finite.
    public func frame(at time: Double) throws -> VideoFrame {
        try input.withInput { try host.frame($0, at: time) }
    }
}
