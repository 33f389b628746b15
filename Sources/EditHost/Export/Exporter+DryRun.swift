// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension Exporter {
    /// Returns the files that ``file(of:)`` and ``withSidecars(_:of:)`` would return, without rendering them. Files that
    /// are not stored are empty.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func foreseenFile(of history: AssetHistory) throws -> File {
        var file: File
        if options.livePhotoPart ?? .pair == .pair, let motion = try stored(motionOf: history) {
            file = try foreseenPair(of: history, motion)
        } else {
            file = try foreseenSingleFile(of: history)
        }
        guard options.sidecar != nil, options.omittedMetadata != .all else { return file }
        file.sidecar = try Self.unknown
        guard options.includesCompanions else { return file }
        for raw in history.originals where raw.type == .alternatePhoto && !raw.isPrimary {
            file.rawSidecars[raw.originalFilename] = try Self.unknown
        }
        return file
    }

    private static var unknown: OutgoingFile {
        get throws { OutgoingFile(try .memory("dry run")) }
    }

    private func unknownFile(_ format: MediaFormat) throws -> File {
        File(bytes: try Self.unknown, format: format)
    }

    private func foreseenPair(of history: AssetHistory, _ motion: Motion) throws -> File {
        var part = options
        part.livePhotoPart = .still
        var file = try with(part).foreseenFile(of: history)
        file.motion = motion
        guard let video = history.pairedVideo, identifier(of: history, video) != nil else {
            return file
        }
        // A content identifier is written to both files.
        file = try unknownFile(file.format.canBeRetagged ? file.format : .jpeg)
        let isMOV = motion.format == .quickTime
        file.motion = Motion(
            bytes: try Self.unknown, format: .quickTime,
            ending: isMOV ? motion.ending : MediaFormat.quickTime.filenameExtension)
        return file
    }

    private func foreseenSingleFile(of history: AssetHistory) throws -> File {
        if let part = options.livePhotoPart, history.pairedVideo != nil, part != .still {
            guard let motion = try stored(motionOf: history) else { throw withoutMotion(history) }
            return part == .motion
                ? try unknownFile(.jpeg) : File(bytes: motion.bytes, format: motion.format)
        }
        if history.asset.mediaType == .video { return try foreseenVideo(of: history) }
        if !options.isConverted, let stored = try stored(history) {
            if isStored(history, try LibraryMetadata(history, in: library)) { return stored }
            if stored.format == .gif, options.omittedMetadata == nil { return stored }
            try requirePhotograph(history)
            if stored.format.canBeRetagged { return try unknownFile(stored.format) }
        }
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
