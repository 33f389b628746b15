// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

extension Exporter {
    /// Returns a Live Photo as a Motion Photo: a JPEG file with the video appended, as its XMP metadata
    /// declares.
    ///
    /// Motion Photo format 1.0, https://developer.android.com/media/platform/motion-photo-format.
    /// - Throws: `HostError`, `LibraryError`.
    func motionPhoto(of history: AssetHistory) async throws -> File {
        guard options.format ?? .jpeg == .jpeg else {
            throw refusal("a Motion Photo must be a JPEG file; leave out --format", history)
        }
        guard let motion = try await motion(of: history) else { throw withoutMotion(history) }
        let contentType: AppendedVideo.ContentType
        switch motion.format {
        case .mp4: contentType = .mp4
        case .quickTime: contentType = .quickTime
        default:
            throw refusal(
                "the video of a Motion Photo must be MP4 or MOV, not \(motion.format.displayName)",
                history)
        }
        let still = try await jpeg(of: history)
        if isUnknown(still.bytes) || isUnknown(motion.bytes) {
            return try .unknown(.jpeg, omissions: still.omissions)
        }
        let length = try motion.bytes.bytes.byteCount()
        if length == 0 { try motion.bytes.verify() }
        var settings = EncodeSettings(format: .jpeg)
        settings.keepsPixels = true
        var changes = MetadataChanges()
        changes.motionVideo = .set(
            AppendedVideo(
                contentType: contentType, length: length,
                presentationTime: history.stillTime.flatMap { Int(exactly: ($0 * 1e6).rounded()) }))
        settings.metadataChanges = changes
        try still.bytes.verify()
        guard let head = try await renderer.retagged(still.bytes.bytes, .jpeg, settings) else {
            throw refusal("the still has no room for the metadata of a Motion Photo", history)
        }
        let file = try OpenFile.unnamed()
        var place = 0
        for source in [OutgoingFile(head.bytes), motion.bytes] {
            var parts = source.parts()
            while let part = try parts.next() {
                try Task.checkCancellation()
                try part.withUnsafeBytes { try file.write($0, at: place) }
                place += part.count
            }
        }
        return File(bytes: OutgoingFile(file), format: .jpeg, omissions: still.omissions)
    }

    private func jpeg(of history: AssetHistory) async throws -> File {
        var options = options
        options.livePhotoPart = .still
        let still = try await with(options).file(of: history)
        if still.format == .jpeg { return still }
        options.format = .jpeg
        return try await with(options).file(of: history)
    }

    func refusal(_ message: String, _ history: AssetHistory) -> HostError {
        HostError(.badRequest, message, asset: history.asset.localIdentifier)
    }

    /// The error for a Live Photo that has no motion to export.
    func withoutMotion(_ history: AssetHistory) -> HostError {
        refusal(
            options.omittedMetadata == nil
                ? "no motion, because only the still was edited; use --version original"
                : "the metadata of the video cannot be removed; export it without "
                    + "--no-location, --no-people and --metadata", history)
    }
}
