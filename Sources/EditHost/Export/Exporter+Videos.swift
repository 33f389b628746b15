// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

extension Exporter {
    /// The file of a video: the stored one, or one that is encoded anew; of either a copy that says less.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func videoFile(of history: AssetHistory) async throws -> File {
        var file = try await wholeVideoFile(of: history)
        let omitted = options.omittedMetadata ?? (hidesPlace(of: history) ? .location : nil)
        guard let omitted else { return file }
        var copying = VideoCopying(format: file.format.writtenVideo)
        copying.omittedMetadata = omitted
        guard let copied = try await copy(file.bytes, copying) else {
            throw refusal(
                "cannot remove \(omitted == .location ? "the location" : "metadata") without "
                    + "re-encoding this video; choose a codec with --video-codec",
                history)
        }
        file.omissions += copied.warnings
        return File(bytes: copied.bytes, format: copying.format, omissions: file.omissions)
    }

    /// Copies a video packet for packet.
    ///
    /// - Returns: nil where that cannot be done: the container has no place for its codecs, or the file does not say when
    ///   each frame is shown.
    func copy(
        _ source: OutgoingFile, _ copying: VideoCopying
    ) async throws -> (bytes: OutgoingFile, warnings: [String])? {
        try source.verify()
        let file = try OpenFile.unnamed()
        let copied = try await renderer.pool.forVideos().withRunner { runner in
            try await runner.copy(copying, from: source.bytes, to: file)
        }
        return copied.map { (OutgoingFile(file), $0.warnings) }
    }

    /// The file with all that it says.
    private func wholeVideoFile(of history: AssetHistory) async throws -> File {
        guard !options.isConverted else {
            throw HostError(
                .badRequest,
                "format, quality, size and profile apply to photographs only; for a video, use "
                    + "codec, rate factor and height")
        }
        if options.video == nil, let stored = try stored(history) { return stored }
        let chain = options.version == .current ? history.chain : []
        let plan = try planner.plan(chain, of: history)
        var settings = EncodeSettings.rendition(of: plan.originalFacts)
        if let wanted = options.video { settings.video = try wanted.settings }
        let picture = try await renderer.picture(of: plan, settings)
        return File(
            bytes: OutgoingFile(picture.bytes), format: settings.format,
            omissions: picture.omissions)
    }
}

/// How videos are encoded when they are exported.
public struct VideoExport: Sendable {
    /// What encodes the pictures of a video.
    public enum Codec: String, Sendable, CaseIterable {
        /// H.264, High profile.
        case h264
        /// HEVC, Main profile.
        case hevc
    }

    /// How much work the encoder does for a smaller file, from the fastest on; by x264's and x265's names.
    public enum Preset: String, Sendable, CaseIterable {
        case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow
    }

    /// What encodes it.
    public var codec: Codec
    /// How much work it does.
    public var preset: Preset
    /// The constant rate factor, 0 (best) to 51; nil: 18.
    public var quality: Int?
    /// The height to reduce it to, in pixels, never enlarging it; nil: as high as it is.
    public var height: Int?

    /// Makes options; every argument is the property of its name.
    public init(
        codec: Codec = .h264, quality: Int? = nil, height: Int? = nil, preset: Preset = .medium
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
            settings.height = height
            settings.preset = preset.rawValue
            return settings
        }
    }
}
