// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

extension Exporter {
    /// Returns the stored or re-encoded file of a video, remuxed if metadata has to be removed.
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

    /// Remuxes a video, packet for packet.
    ///
    /// - Returns: nil if the container does not support its codecs, or the file has no presentation times.
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

    /// Returns the file with all its metadata.
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

/// The settings for encoding exported videos.
public struct VideoExport: Sendable {
    /// The codec of the video track.
    public enum Codec: String, Sendable, CaseIterable {
        /// H.264, High profile.
        case h264
        /// HEVC, Main profile.
        case hevc
    }

    /// The encoder's trade-off between speed and file size, from the fastest on, by the names of x264 and x265.
    public enum Preset: String, Sendable, CaseIterable {
        case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow
    }

    /// The codec of the video track.
    public var codec: Codec
    /// The encoder's trade-off between speed and file size.
    public var preset: Preset
    /// The constant rate factor, 0 (best) to 51; nil: 18.
    public var quality: Int?
    /// The maximum height, in pixels, never enlarging the video; nil: the full height.
    public var height: Int?

    /// Creates settings. Each argument is the property of its name.
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
