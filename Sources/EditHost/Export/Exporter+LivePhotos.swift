// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

extension Exporter {
    /// The video of a Live Photo as it goes out.
    struct Motion: Sendable {
        let bytes: OutgoingFile
        let format: MediaFormat
        /// The ending of its name: that of the file that came, where it is of the same format.
        let ending: String
    }

    /// The video of a Live Photo in the version that is exported; nil: there is none.
    ///
    /// - Throws: `HostError` with `cannotRender` where it is not stored and its edits have to be rendered again first;
    ///   `LibraryError`.
    func motion(of history: AssetHistory) async throws -> Motion? {
        guard let motion = try stored(motionOf: history) else { return nil }
        let omitsLocation = options.omittedMetadata == .location || hidesPlace(of: history)
        return omitsLocation
            ? try await copy(motion, of: history, as: motion.format) {
                $0.omittedMetadata = .location
            }
            : motion
    }

    private func stored(motionOf history: AssetHistory) throws -> Motion? {
        let omitted: [EncodeSettings.OmittedMetadata?] = [nil, .location]
        guard let original = history.pairedVideo, omitted.contains(options.omittedMetadata) else {
            return nil
        }
        let name = SafeFilename(original.originalFilename)
        if options.version != .current || history.chain.isEmpty {
            // The file of a Motion Photo has it already.
            if original.embedding != nil, options.livePhotoPart == nil, !options.isConverted,
                options.omittedMetadata == nil
            {
                return nil
            }
            return Motion(
                bytes: try open(original), format: original.format, ending: name.ending)
        }
        guard history.hasMotion else { return nil }
        guard let stored = history.motion?.chain.last?.current, library.containsBlob(stored.blob)
        else {
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

    /// Copies the video, packet for packet, with something of what it says changed.
    ///
    /// - Throws: `HostError` with `badRequest` where the container has no place for its codecs.
    func copy(
        _ motion: Motion, of history: AssetHistory, as format: MediaFormat,
        _ change: (inout VideoCopying) -> Void
    ) async throws -> Motion {
        var copying = VideoCopying(format: format)
        copying.stillTime = history.stillTime
        change(&copying)
        guard let copied = try await copy(motion.bytes, copying) else {
            throw refusal("the video cannot be written as \(format.displayName)", history)
        }
        return Motion(
            bytes: copied.bytes, format: format,
            ending: motion.format == format ? motion.ending : format.filenameExtension)
    }

    /// Whether somebody has taken the place away that the files say, and it is not to go out in the video.
    func hidesPlace(of history: AssetHistory) -> Bool {
        let isLibrary = options.metadata.map { $0 == .library } ?? !history.chain.isEmpty
        guard isLibrary, options.version == .current, history.asset.location == nil else {
            return false
        }
        return history.original?.facts?.location != nil
            || history.pairedVideo?.facts?.location != nil
    }

    /// Why the motion does not go out that a pair would have; nil: it has none, or its file leaves as it came.
    func withheldMotion(of history: AssetHistory) -> String? {
        guard history.pairedVideo != nil else { return nil }
        if options.omittedMetadata.map({ $0 != .location }) ?? false {
            return "the motion is left out, because the metadata of its video cannot be changed"
        }
        return history.hasMotion
            ? nil : "the motion is left out, because only the still was edited"
    }
}
