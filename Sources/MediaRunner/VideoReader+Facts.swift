// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import ImageMetadata
import RunnerProtocol

extension VideoReader {
    /// The maximum frame rate of usual videos. Slow-motion cameras record 120 or 240 frames per second.
    private static let usualFrameRate = 90.0

    /// Returns the properties and metadata of the video for the library.
    ///
    /// - Throws: `badInput` if the file is not a playable video.
    func photoFacts(
        _ format: MediaFormat, warnings: inout [String]
    ) throws(RunnerFailure) -> PhotoFacts {
        let size = try size()
        guard facts.is_decodable else {
            throw RunnerFailure(
                code: .blockedFormat,
                message: codec.isEmpty
                    ? "unknown codec" : "its codec, \(codec), is not supported")
        }
        guard facts.duration.isFinite, facts.duration > 0,
            facts.duration <= VideoFacts.maximumDuration
        else {
            throw RunnerFailure(
                code: .badInput, message: "invalid length, \(facts.duration) s")
        }
        if facts.orientation == 0 {
            warnings.append(
                "its rotation is not a multiple of 90 degrees, and is ignored")
        }
        let tags = tags
        var made = PhotoFacts(
            format: format, pixelWidth: size.width, pixelHeight: size.height,
            orientation: max(1, Int(facts.orientation)), bitsPerSample: facts.bits > 8 ? 16 : 8,
            hasAlpha: facts.has_alpha, colorModel: .rgb, hasFullChroma: false, isLossy: true,
            frameCount: 1, mediaSubtypes: subtypes(tags), creationDate: VideoTags.date(tags),
            location: VideoTags.location(tags), metadata: VideoTags.metadata(tags))
        made.video = VideoFacts(
            duration: facts.duration,
            frameRate: facts.frame_rate > 0 && facts.frame_rate.isFinite ? facts.frame_rate : nil,
            frameCount: facts.frame_count > 0 ? Int(facts.frame_count) : nil, codec: codec,
            audioCodec: facts.audio_streams > 0 ? Self.text(facts.audio_codec) : nil,
            audioTracks: Int(facts.audio_streams))
        made.video?.stillTime = stillTime(format)
        return made
    }

    /// Returns the time of a Live Photo's still image; `nil` if it is missing or the timed metadata is damaged.
    func stillTime(_ format: MediaFormat) -> Double? {
        guard format == .quickTime,
            let time = try? Movie(reading: file).stillImageTime(in: file)?.seconds,
            time.isFinite, time >= 0
        else { return nil }
        return time
    }

    private var codec: String { Self.text(facts.video_codec) }

    /// Whether browsers can play the file without a conversion: H.264 with 8 bits and 4:2:0, and AAC or no sound, in
    /// MP4 or MOV.
    var playsInBrowsers: Bool {
        let isMovie = Self.text(facts.container).split(separator: ",").contains("mp4")
        let hasSound = facts.audio_streams > 0
        return isMovie && codec == "h264" && facts.has_quarter_chroma
            && (!hasSound || Self.text(facts.audio_codec) == "aac")
    }

    private func subtypes(_ tags: [String: String]) -> MediaSubtype {
        var subtypes: MediaSubtype = []
        // Android records the capture rate, which can exceed the playback rate.
        let frameRate = tags["com.android.capture.fps"].flatMap(Double.init) ?? facts.frame_rate
        if max(frameRate, facts.frame_rate) > Self.usualFrameRate {
            subtypes.insert(.videoHighFrameRate)
        }
        if frameRate > 0, frameRate < facts.frame_rate / 2 { subtypes.insert(.videoTimelapse) }
        if tags.keys.contains(where: { $0.hasPrefix("com.apple.quicktime.cinematic-video") }) {
            subtypes.insert(.videoCinematic)
        }
        if tags["com.apple.quicktime.author"] == VideoTags.screenRecording {
            subtypes.insert(.videoScreenRecording)
        }
        return subtypes
    }

    /// Returns the text in a fixed-size C array.
    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
