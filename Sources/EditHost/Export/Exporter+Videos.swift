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
        guard let omitted = omittedMetadata(of: history) else { return file }
        var copying = VideoCopySettings(format: file.format.writtenVideo)
        copying.omittedMetadata = omitted
        if isUnknown(file.bytes) { return try .unknown(copying.format) }
        guard let copied = try await copy(file.bytes, copying) else {
            throw refusal(
                "cannot remove \(omitted == .location ? "the location" : "metadata") without "
                    + "re-encoding this video; choose a codec with --video-codec",
                history)
        }
        file.omissions += copied.warnings
        return File(
            bytes: copied.bytes, format: copying.format, omissions: file.omissions,
            hasOriginalPixels: file.hasOriginalPixels)
    }

    /// Remuxes a video, packet for packet.
    ///
    /// - Returns: Nil if the container does not support its codecs, or the file has no presentation times.
    func copy(
        _ source: OutgoingFile, _ copying: VideoCopySettings
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
                "format, quality, size and profile apply to photos only; for a video, use "
                    + "codec, rate factor and height")
        }
        if options.video == nil, let stored = try stored(history) { return stored }
        let chain = options.version == .current ? history.chain : []
        let plan = try planner.plan(chain, of: history)
        var settings = EncodeSettings.rendition(of: plan.originalFacts)
        if let wanted = options.video { settings.video = try wanted.settings }
        if options.isDryRun {
            try renderer.requireFiles(of: plan)
            return try .unknown(settings.format)
        }
        let picture = try await renderer.picture(of: plan, settings)
        return File(
            bytes: OutgoingFile(picture.bytes), format: settings.format,
            omissions: picture.omissions)
    }
}
