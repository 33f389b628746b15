// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Hashing
import Library
import RunnerHost
import RunnerProtocol

extension RunnerPool {
    /// Reads the video appended to a Motion Photo. If it is unusable, the picture counts as one without motion.
    nonisolated func readingMotion(
        of picture: FactsOutput.Picture, in file: OpenFile
    ) async throws -> FactsOutput.Picture {
        guard var video = picture.facts.embeddedVideo, let media,
            let range = video.range(inFileOfLength: try file.byteCount())
        else { return picture }
        var picture = picture
        do {
            let copy = try file.unnamedCopy(of: range)
            let start = try copy.read(count: MediaFormat.sniffLength)
            let format = MediaFormat(firstBytes: start)
            let facts = try await media.decoded(copy, format).facts
            guard let found = facts.video else { return picture }
            var hasher = SHA256()
            var parts = OutgoingFile(copy).parts()
            while let part = try parts.next() { hasher.update(data: part) }
            video.content = EmbeddedVideo.Content(
                hash: SHA256Digest(bytes: hasher.finalize()).hex, format: format,
                pixelWidth: facts.pixelWidth, pixelHeight: facts.pixelHeight, video: found)
            picture.facts.embeddedVideo = video
        } catch let error as HostError where error.isAboutPicture {
            picture.facts.embeddedVideo = nil
            picture.facts.embeddedVideoProblem = error.message
            picture.facts.mediaSubtypes.remove(.photoLive)
            picture.warnings.append("the video cannot be used: \(error.message)")
        }
        return picture
    }
}

extension RunnerPool {
    /// Decodes an original and returns its facts.
    ///
    /// - Parameter marks: The AAE files beside it, which mark slow-motion videos.
    /// - Returns: Nil for a video if there is no runner for videos.
    /// - Throws: `HostError` with `badInput`, `blockedFormat` or `runnerFailed`.
    nonisolated func read(
        _ file: OpenFile, _ format: MediaFormat, marks: [OpenFile] = []
    ) async throws -> FactsOutput.Picture? {
        guard format.mediaType == .video else {
            return try await readingMotion(of: decoded(file, format), in: file)
        }
        guard let media else { return nil }
        var picture = try await media.decoded(file, format)
        if try marks.contains(where: { try $0.marksSlowMotion() }) {
            picture.facts.mediaSubtypes.insert(.videoHighFrameRate)
        }
        return picture
    }

    /// Writes an XMP file.
    ///
    /// - Parameters:
    ///   - old: The earlier XMP file, whose other properties are kept.
    ///   - picture: The picture beside it, which contributes the creator, the copyright and the regions.
    /// - Returns: Nil if there is nothing to write.
    /// - Throws: `HostError`, `CancellationError`.
    nonisolated func writeSidecar(
        _ settings: SidecarWriting, updating old: OpenFile?, beside picture: OpenFile?
    ) async throws -> OpenFile? {
        let output = try OpenFile.unnamed()
        var files: [(DescriptorRole, OpenFile)] = [(.output, output)]
        if let old { files.append((.sidecar, old)) }
        if let picture { files.append((.metadataSource, picture)) }
        let descriptors = files
        try await withRunner { runner in
            let reply = try await runner.send(
                .writeSidecar(settings), descriptors, timeout: runner.timeouts.render)
            guard case .done = reply else { throw runner.unexpected(reply) }
        }
        return try output.byteCount() > 0 ? output : nil
    }

    /// Returns the facts in an XMP file. They state the problem if the runner cannot read the file.
    ///
    /// - Throws: `HostError` if no runner can be started.
    nonisolated func readSidecar(_ file: OpenFile) async throws -> SidecarFacts {
        do {
            return try await withRunner { runner in
                let reply = try await runner.send(
                    .readSidecar, [(.sidecar, file)], timeout: runner.timeouts.render)
                guard case .sidecar(let facts) = reply else { throw runner.unexpected(reply) }
                return facts
            }
        } catch let error where error.concernsImportedFile {
            var facts = SidecarFacts(problem: "\(error)")
            facts.isUnread = true
            return facts
        }
    }
}
