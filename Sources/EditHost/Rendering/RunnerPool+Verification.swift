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
            throw HostError(
                .blockedFormat, "\(name): \(format.displayName) files are not supported")
        }
        return try await readingMotion(of: decoded(file, format), in: file).facts
    }

    /// Decodes a file completely and returns the facts about it.
    ///
    /// - Parameter sidecars: XMP files with metadata that the file lacks; only the first two are read.
    /// - Throws: `HostError` with `badInput`, `blockedFormat` or `runnerFailed`.
    func decoded(
        _ file: OpenFile, _ format: MediaFormat, sidecars: [OpenFile] = []
    ) async throws -> FactsOutput.Picture {
        try await withRunner { runner in
            let input = RenderInput(base: .encoded(format))
            let result = try await FactsOutput().take(
                from: runner, { .run(RenderJob(input: input, output: $0)) },
                [(.base, file)] + Array(zip([.sidecar, .secondSidecar], sidecars)))
            switch result {
            case .picture(let picture): return picture
            case .fileWritten(let step, let file):
                throw runner.unexpected(.fileWritten(step: step, file))
            }
        }
    }
}
