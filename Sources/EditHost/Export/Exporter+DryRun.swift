// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension Exporter.File {
    /// Whether its bytes are known. In a dry run, those of a rendered file are not.
    var isKnown: Bool {
        get throws { try bytes.bytes.byteCount() > 0 }
    }
}

extension Exporter {
    /// Returns the file that ``file(of:)`` would return, without rendering it. If it is not stored, it is empty.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func foreseenFile(of history: AssetHistory) async throws -> File {
        guard options.livePhotoPart ?? .pair == .pair else {
            return try await foreseenSingleFile(of: history)
        }
        if let motion = try foreseenMotion(of: history) {
            return try await foreseenPair(of: history, motion)
        }
        var file = try await foreseenSingleFile(of: history)
        if let reason = reasonForOmittingMotion(of: history) { file.omissions.append(reason) }
        return file
    }

    private static var unknown: OutgoingFile {
        get throws { OutgoingFile(try .memory("dry run")) }
    }

    private func unknownFile(_ format: MediaFormat) throws -> File {
        File(bytes: try Self.unknown, format: format)
    }

    private func foreseenMotion(of history: AssetHistory) throws -> Motion? {
        guard let motion = try stored(motionOf: history) else { return nil }
        guard omittedMetadata(of: history) != nil else { return motion }
        return Motion(bytes: try Self.unknown, format: motion.format, ending: motion.ending)
    }

    private func foreseenPair(of history: AssetHistory, _ motion: Motion) async throws -> File {
        var part = options
        part.livePhotoPart = .still
        var file = try await with(part).foreseenFile(of: history)
        file.motion = motion
        guard let video = history.pairedVideo, let wanted = identifier(of: history, video) else {
            return file
        }
        // A content identifier is written to both files.
        if let marked = try await foreseenMarked(file, wanted) {
            file = marked
        } else {
            part.format = .jpeg
            file = try await with(part).foreseenFile(of: history)
        }
        let isMOV = motion.format == .quickTime
        file.motion = Motion(
            bytes: try Self.unknown, format: .quickTime,
            ending: isMOV ? motion.ending : MediaFormat.quickTime.filenameExtension)
        return file
    }

    /// Returns nil if the still has to be converted to JPEG.
    private func foreseenMarked(_ file: File, _ identifier: String) async throws -> File? {
        guard try file.isKnown else { return file.format.canBeRetagged ? file : nil }
        try file.bytes.verify()
        return try await marked(file, identifier)
    }

    private func foreseenSingleFile(of history: AssetHistory) async throws -> File {
        if let part = options.livePhotoPart, part == .video || part == .motion,
            history.pairedVideo != nil
        {
            guard let motion = try foreseenMotion(of: history) else { throw withoutMotion(history) }
            return part == .motion
                ? try unknownFile(.jpeg) : File(bytes: motion.bytes, format: motion.format)
        }
        if history.asset.mediaType == .video { return try foreseenVideo(of: history) }
        // Whether metadata can be changed without re-encoding depends on the file, not only on its format.
        let metadata = try LibraryMetadata(history, in: library)
        if let file = try await unrendered(history, metadata) { return file }
        try requireSource(of: history)
        return try unknownFile(settings(for: planner.plan([], of: history).originalFacts).format)
    }

    private func foreseenVideo(of history: AssetHistory) throws -> File {
        let isRemuxed = options.omittedMetadata != nil || hidesPlace(of: history)
        if !options.isConverted, options.video == nil, let stored = try stored(history) {
            return isRemuxed ? try unknownFile(stored.format.writtenVideo) : stored
        }
        let facts = try planner.plan([], of: history).originalFacts
        return try unknownFile(EncodeSettings.rendition(of: facts).format)
    }
}
