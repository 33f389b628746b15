// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import QuickTimeFile
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
    private func stillTime(_ format: MediaFormat) -> Double? {
        guard format == .quickTime,
            let time = try? Movie(reading: file).stillImageTime(in: file)?.seconds,
            time.isFinite, time >= 0
        else { return nil }
        return time
    }

    private var codec: String { Self.text(facts.video_codec) }

    private func subtypes(_ tags: [String: String]) -> MediaSubtype {
        var subtypes: MediaSubtype = []
        // Android records the capture rate, which can exceed the playback rate.
        let taken = tags["com.android.capture.fps"].flatMap(Double.init) ?? facts.frame_rate
        if max(taken, facts.frame_rate) > Self.usualFrameRate {
            subtypes.insert(.videoHighFrameRate)
        }
        if taken > 0, taken < facts.frame_rate / 2 { subtypes.insert(.videoTimelapse) }
        if tags.keys.contains(where: { $0.hasPrefix("com.apple.quicktime.cinematic-video") }) {
            subtypes.insert(.videoCinematic)
        }
        if tags["com.apple.quicktime.author"] == "ReplayKitRecording" {
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

/// The interpretation of video tags, keyed by FFmpeg's names in lowercase.
enum VideoTags {
    /// Returns the capture date: Apple's own tag, which has a UTC offset, otherwise that of `mvhd` in UTC.
    static func date(_ tags: [String: String]) -> CaptureDate? {
        if let date = DateText.parse(tags["com.apple.quicktime.creationdate"]) { return date }
        guard let date = DateText.parse(tags["creation_time"] ?? tags["date"]) else { return nil }
        return date
    }

    /// Returns the location from ISO 6709 text such as `+34.0083-118.4979+010.558/`.
    ///
    /// Angles are in degrees, in degrees and minutes, or in degrees, minutes and seconds.
    static func location(_ tags: [String: String]) -> Location? {
        let names = ["com.apple.quicktime.location.iso6709", "location", "location-eng"]
        guard let text = names.lazy.compactMap({ tags[$0] }).first else { return nil }
        var rest = Substring(text).utf8[...]
        guard let latitude = angle(&rest, wholeDigits: 2),
            let longitude = angle(&rest, wholeDigits: 3)
        else { return nil }
        return Location(latitude: latitude, longitude: longitude)
    }

    /// Parses a signed angle. The number of integer digits determines its form: ±DD, ±DDMM, ±DDMMSS.
    private static func angle(
        _ rest: inout Substring.UTF8View, wholeDigits: Int
    ) -> Double? {
        guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return nil
        }
        let number = rest.dropFirst().prefix { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
        rest = rest.dropFirst(1 + number.count)
        let digits = number.prefix { $0 != UInt8(ascii: ".") }
        let fraction = String(Substring(number.dropFirst(digits.count)))
        let whole = Array(digits)
        func part(_ from: Int, _ count: Int, isLast: Bool) -> Double? {
            guard from + count <= whole.count else { return nil }
            let text = String(decoding: whole[from..<from + count], as: UTF8.self)
            return Double(isLast ? text + fraction : text)
        }
        let value: Double?
        switch whole.count - wholeDigits {
        case ...0: value = Double(String(decoding: whole, as: UTF8.self) + fraction)
        case 2:
            value = part(0, wholeDigits, isLast: false).flatMap { degrees in
                part(wholeDigits, 2, isLast: true).map { degrees + $0 / 60 }
            }
        case 4:
            value = part(0, wholeDigits, isLast: false).flatMap { degrees in
                part(wholeDigits, 2, isLast: false).flatMap { minutes in
                    part(wholeDigits + 2, 2, isLast: true).map {
                        degrees + minutes / 60 + $0 / 3600
                    }
                }
            }
        default: value = nil
        }
        return value.map { sign == UInt8(ascii: "-") ? -$0 : $0 }
    }

    /// Returns the camera, title, description and Live Photo identifier.
    static func metadata(_ tags: [String: String]) -> PhotoMetadata {
        func first(_ names: String...) -> String? { names.lazy.compactMap { tags[$0] }.first }
        return PhotoMetadata(
            contentIdentifier: tags["com.apple.quicktime.content.identifier"],
            cameraMake: first("com.apple.quicktime.make", "com.android.manufacturer", "make"),
            cameraModel: first("com.apple.quicktime.model", "com.android.model", "model"),
            lensModel: tags["com.apple.quicktime.camera.lens_model"],
            title: first("com.apple.quicktime.title", "title"),
            descriptionText: first("com.apple.quicktime.description", "description"))
    }
}
