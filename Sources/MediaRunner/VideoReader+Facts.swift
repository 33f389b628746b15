// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import QuickTimeFile
import RunnerProtocol

extension VideoReader {
    /// More frames a second than this make a high frame rate: cameras that film for slow motion take 120 or 240.
    private static let usualFrameRate = 90.0

    /// What the file is and what its metadata says, as the library keeps it.
    ///
    /// - Throws: `badInput` where it is no video that can be shown.
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

    /// Which moment a Live Photo's still shows. A file whose timed metadata is damaged does not say.
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
        // Android says at which rate it was taken, whatever the rate at which it is shown.
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

    /// The characters of a fixed array of C.
    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// What the tags of videos mean, by FFmpeg's names of them in lower case.
enum VideoTags {
    /// When it was taken: Apple's own date, which has an offset, else `mvhd`'s, which is in UTC.
    static func date(_ tags: [String: String]) -> CaptureDate? {
        if let date = DateText.parse(tags["com.apple.quicktime.creationdate"]) { return date }
        guard let date = DateText.parse(tags["creation_time"] ?? tags["date"]) else { return nil }
        return date
    }

    /// Where it was taken, by ISO 6709: `+34.0083-118.4979+010.558/`, in degrees, or degrees and minutes,
    /// or with seconds too.
    static func location(_ tags: [String: String]) -> Location? {
        let names = ["com.apple.quicktime.location.iso6709", "location", "location-eng"]
        guard let text = names.lazy.compactMap({ tags[$0] }).first else { return nil }
        var rest = Substring(text).utf8[...]
        guard let latitude = angle(&rest, wholeDigits: 2),
            let longitude = angle(&rest, wholeDigits: 3)
        else { return nil }
        return Location(latitude: latitude, longitude: longitude)
    }

    /// A signed angle, whose digits before the point say what it is: ±DD, ±DDMM, ±DDMMSS.
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

    /// Camera, title and description, and what joins it to a Live Photo's still.
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
