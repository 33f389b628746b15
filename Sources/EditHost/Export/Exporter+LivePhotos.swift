// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension Exporter {
    /// The video of a Live Photo for an export.
    struct Motion: Sendable {
        let bytes: OutgoingFile
        let format: MediaFormat
        /// The filename extension: that of the imported file if the format is the same.
        let ending: String
    }

    /// Returns the video of a Live Photo in the exported version; nil if there is none.
    ///
    /// - Throws: `HostError` with `cannotRender` if the video is edited and not stored; `LibraryError`.
    func motion(of history: AssetHistory) async throws -> Motion? {
        guard let motion = try stored(motionOf: history) else { return nil }
        guard let omitted = omittedMetadata(of: history) else { return motion }
        return try await copy(motion, of: history, as: motion.format) {
            $0.omittedMetadata = omitted
        }
    }

    func stored(motionOf history: AssetHistory) throws -> Motion? {
        guard let original = history.pairedVideo, options.omittedMetadata?.isPartial ?? true else {
            return nil
        }
        let name = SafeFilename(original.originalFilename)
        if options.version != .current || history.chain.isEmpty {
            // The exported file of a Motion Photo contains its video already.
            if original.embedding != nil, options.livePhotoPart == nil, !options.isConverted,
                options.omittedMetadata == nil
            {
                return nil
            }
            return Motion(
                bytes: try open(original), format: original.format, ending: name.ending)
        }
        guard history.hasMotion else { return nil }
        if options.isDryRun, ignoresStored { return try unknownMotion(of: original) }
        guard let stored = history.motion.flatMap({ library.storedPicture(of: $0.chain) }) else {
            throw HostError(
                .cannotRender,
                "the edited video of this Live Photo is not stored; run edithost rerender, or export its still",
                asset: history.asset.localIdentifier)
        }
        return Motion(
            bytes: try OutgoingFile(
                stored.blob, ofAsset: history.asset.localIdentifier, in: library),
            format: stored.format,
            ending: stored.format == original.format
                ? name.ending : stored.format.filenameExtension)
    }

    /// Returns the edited video of a Live Photo that would be rendered again; nil if it cannot be rendered.
    private func unknownMotion(of video: AssetResource) throws -> Motion? {
        guard let facts = video.facts else { return nil }
        let format = EncodeSettings.rendition(of: facts).format
        return Motion(
            bytes: try .unknown, format: format,
            ending: format == video.format
                ? SafeFilename(video.originalFilename).ending : format.filenameExtension)
    }

    /// Remuxes the video, packet for packet, with other metadata or in another container.
    ///
    /// - Throws: `HostError` with `badRequest` if the container does not support its codecs.
    func copy(
        _ motion: Motion, of history: AssetHistory, as format: MediaFormat,
        _ change: (inout VideoCopySettings) -> Void
    ) async throws -> Motion {
        var copying = VideoCopySettings(format: format)
        copying.stillTime = history.stillTime
        change(&copying)
        let ending = motion.format == format ? motion.ending : format.filenameExtension
        if isUnknown(motion.bytes) {
            return Motion(bytes: motion.bytes, format: format, ending: ending)
        }
        guard let copied = try await copy(motion.bytes, copying) else {
            throw refusal("the video cannot be written as \(format.displayName)", history)
        }
        return Motion(bytes: copied.bytes, format: format, ending: ending)
    }

    /// The reason why a pair is exported without its motion; nil if there is no motion to omit.
    func reasonForOmittingMotion(of history: AssetHistory) -> String? {
        guard history.pairedVideo != nil else { return nil }
        if options.omittedMetadata?.isPartial == false {
            return "the motion is omitted, because the metadata of its video cannot be changed"
        }
        return history.hasMotion
            ? nil : "the motion is omitted, because only the still was edited"
    }
}
