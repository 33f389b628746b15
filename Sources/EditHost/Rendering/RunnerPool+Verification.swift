// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

extension RunnerPool {
    /// Decodes a picture completely and returns the facts about it.
    ///
    /// - Throws: `HostError` with `badInput`, `blockedFormat` or `runnerFailed`.
    nonisolated func photoFacts(
        of file: OpenFile, named name: String
    ) async throws -> PhotoFacts {
        let format = MediaFormat(firstBytes: try file.read(count: MediaFormat.sniffLength))
        if format.mediaType == .video { return try await forVideos().decoded(file, format).facts }
        guard format.isOpened else {
            throw HostError.unsupported(format, named: name)
        }
        return try await readingMotion(of: decoded(file, format), in: file).facts
    }

    /// Decodes a file completely and returns the facts about it.
    ///
    /// - Throws: `HostError` with `badInput`, `blockedFormat` or `runnerFailed`.
    func decoded(
        _ file: OpenFile, _ format: MediaFormat
    ) async throws -> FactsOutput.Picture {
        try await withRunner { runner in
            let input = RenderInput(base: .encoded(format))
            let result = try await FactsOutput().take(
                from: runner, { .run(RenderJob(input: input, output: $0)) },
                [(.base, file)])
            switch result {
            case .picture(let picture): return picture
            case .fileWritten(let step, let file):
                throw runner.unexpected(.fileWritten(step: step, file))
            }
        }
    }

    /// Verifies a file that an extension wrote, in a runner without extensions: it must be a complete, upright
    /// picture of the announced type.
    ///
    /// - Throws: `HostError` with `extensionFailed`, describing the fault in the file.
    nonisolated func verified(
        _ file: OpenFile, _ description: WrittenFile, by binary: ExtensionBinary
    ) async throws -> Renderer.Base {
        do {
            var base = try await verified(
                file, announced: description.contentType, by: binary.manifest.identifier)
            base.assumedProfile = description.profile
            return base
        } catch let error as HostError where error.code == .extensionFailed {
            quarantine.recordFailure(of: binary, error.message)
            throw error
        }
    }

    private nonisolated func verified(
        _ file: OpenFile, announced: String, by author: String
    ) async throws -> Renderer.Base {
        let format = MediaFormat(firstBytes: try file.read(count: MediaFormat.sniffLength))
        guard format.contentType == announced else {
            throw HostError(
                .extensionFailed,
                "it announced \(announced) as its output but wrote \(format.contentType)",
                extension: author)
        }
        let facts: PhotoFacts
        do {
            facts = try await decoded(file, format).facts
        } catch let error as HostError where error.isAboutPicture {
            throw HostError(
                .extensionFailed, "its output file cannot be used: \(error.message)",
                extension: author, underlying: error)
        }
        guard facts.orientation == 1 else {
            throw HostError(
                .extensionFailed,
                "its output file has orientation \(facts.orientation); output must be upright, "
                    + "with orientation 1",
                extension: author)
        }
        return Renderer.Base(bytes: file, kind: .encoded(format))
    }
}
