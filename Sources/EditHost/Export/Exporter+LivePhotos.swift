// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

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
    func motion(of history: AssetHistory) throws -> Motion? {
        guard let original = history.pairedVideo, options.omittedMetadata == nil,
            !hidesPlace(of: history)
        else { return nil }
        let name = SafeFilename(original.originalFilename)
        if options.version != .current || history.chain.isEmpty {
            // The file of a Motion Photo has it already.
            if original.embedding != nil, options.livePhotoPart == nil, !options.isConverted {
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
        if options.omittedMetadata != nil || hidesPlace(of: history) {
            return "its motion is left out: what a video says is not changed"
        }
        return history.hasMotion
            ? nil : "its motion is left out: an edit of the still took it away"
    }
}
