// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Hashing
import Library
import RunnerHost

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
    /// - Parameters:
    ///   - sidecars: XMP files, in order of precedence. Only the first two are read.
    ///   - marks: The AAE files beside it, which mark slow-motion videos.
    /// - Returns: Nil for a video if there is no runner for videos.
    /// - Throws: `HostError` with `badInput`, `blockedFormat` or `runnerFailed`.
    nonisolated func read(
        _ file: OpenFile, _ format: MediaFormat, sidecars: [OpenFile], marks: [OpenFile] = []
    ) async throws -> FactsOutput.Picture? {
        guard format.mediaType == .video else {
            return try await readingMotion(
                of: decoded(file, format, sidecars: sidecars), in: file)
        }
        guard let media else { return nil }
        var picture = try await media.decoded(file, format)
        if !sidecars.isEmpty {
            let beside = try await facts(ofSidecars: sidecars)
            picture.facts.add(beside)
            picture.warnings += beside.warnings
        }
        if try marks.contains(where: { try $0.marksSlowMotion() }) {
            picture.facts.mediaSubtypes.insert(.videoHighFrameRate)
        }
        return picture
    }

    /// Returns the facts in the first two XMP files.
    ///
    /// - Throws: `HostError` with `runnerFailed`.
    private nonisolated func facts(ofSidecars files: [OpenFile]) async throws -> SidecarFacts {
        try await withRunner { runner in
            let reply = try await runner.send(
                .readSidecars, Array(zip([.sidecar, .secondSidecar], files)),
                deadline: runner.deadlines.render)
            guard case .sidecars(let facts) = reply else { throw runner.unexpected(reply) }
            return facts
        }
    }
}
