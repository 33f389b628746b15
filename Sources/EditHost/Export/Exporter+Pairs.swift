// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension Exporter {
    /// Returns a Live Photo as two files paired by a content identifier.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func pair(of history: AssetHistory, _ motion: Motion) async throws -> File {
        var part = options
        part.livePhotoPart = .still
        let exporter = with(part)
        var file = try await exporter.file(of: history)
        file.motion = motion
        guard let video = history.pairedVideo, let wanted = identifier(of: history, video) else {
            return file
        }
        try file.bytes.verify()
        if let marked = try await marked(file, wanted) {
            file = marked
        } else {
            // The format or the file cannot store the identifier, so the still is converted to JPEG.
            part.format = .jpeg
            let jpeg = try await with(part).file(of: history)
            guard let marked = try await marked(jpeg, wanted) else {
                throw refusal("the still has no room for the metadata of a Live Photo", history)
            }
            file = marked
        }
        file.motion = try await self.marked(motion, wanted, history)
        return file
    }

    /// The identifier to write to both files; nil if they already have a common one, or are exported unchanged.
    func identifier(of history: AssetHistory, _ video: AssetResource) -> String? {
        let still = history.original?.facts?.metadata?.contentIdentifier
        let motion = video.facts?.metadata?.contentIdentifier
        if let still, still == motion, video.embedding == nil { return nil }
        let isAsked = options.livePhotoPart == .pair || video.embedding != nil
        guard isAsked, let hash = history.original?.contentHash else { return nil }
        return still ?? motion ?? hash.uuid
    }

    /// Returns the stored still of a Motion Photo without the appended video.
    ///
    /// - Returns: Nil if it has edits, no video is appended, or the video cannot be removed.
    func withoutVideo(_ file: File, _ history: AssetHistory) async throws -> File? {
        let isOriginal = options.version != .current || history.chain.isEmpty
        guard isOriginal, history.pairedVideo?.embedding != nil, file.format.canBeRetagged else {
            return nil
        }
        var settings = EncodeSettings(format: file.format)
        settings.keepsPixels = true
        var changes = MetadataChanges()
        changes.motionVideo = .remove
        settings.metadataChanges = changes
        try file.bytes.verify()
        return try await renderer.retagged(file.bytes.bytes, file.format, settings).map {
            File(
                bytes: OutgoingFile($0.bytes), format: file.format, omissions: file.omissions,
                hasOriginalPixels: file.hasOriginalPixels)
        }
    }

    /// Returns the still with the identifier and without an appended video; nil if the file cannot store the
    /// identifier.
    func marked(_ file: File, _ identifier: String) async throws -> File? {
        guard file.format.canBeRetagged else { return nil }
        if isUnknown(file.bytes) { return file }
        var settings = EncodeSettings(format: file.format)
        settings.keepsPixels = true
        var changes = MetadataChanges()
        changes.contentIdentifier = .set(identifier)
        changes.motionVideo = .remove
        var marked = file
        for replaces in [false, true] {
            changes.replacesMakerNote = replaces ? true : nil
            settings.metadataChanges = changes
            let picture = try await renderer.retagged(file.bytes.bytes, file.format, settings)
            guard let picture else { continue }
            marked = File(
                bytes: OutgoingFile(picture.bytes), format: file.format,
                omissions: file.omissions, hasOriginalPixels: file.hasOriginalPixels)
            if replaces {
                marked.omissions.append(
                    "the maker note is replaced by the one that identifies a Live Photo")
            }
            return marked
        }
        return nil
    }

    /// Returns the video as a MOV with the identifier.
    private func marked(
        _ motion: Motion, _ identifier: String, _ history: AssetHistory
    ) async throws -> Motion {
        try await copy(motion, of: history, as: .quickTime) {
            $0.contentIdentifier = identifier
            $0.omittedMetadata = omittedMetadata(of: history)
        }
    }
}

extension SHA256Digest {
    /// A UUID of version 8 (RFC 9562, 5.8) from its first bytes, in capitals as Apple's cameras write it.
    fileprivate var uuid: String {
        var digits = Array(hex.uppercased().prefix(32))
        digits[12] = "8"
        digits[16] = "A"
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(digits[$0]) }.joined(separator: "-")
    }
}
