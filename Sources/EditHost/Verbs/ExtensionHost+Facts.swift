// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension ExtensionHost {
    /// What the runners say of themselves: their libvips, and the sandbox they are in. Starts one
    /// where none has run yet.
    ///
    /// - Throws: `HostError` with `runnerUnavailable` or `sandboxUnavailable`.
    package func runnerFacts() async throws -> RunnerFacts { try await pool.facts() }

    /// Decodes a picture fully, and says what it is: for an `AssetCreationRequest` of several files.
    ///
    /// - Throws: `HostError` with `noSuchFile`, `fileFailed`, `badInput`, `blockedFormat` or
    ///   `runnerFailed`.
    public func photoFacts(ofFileAt path: String) async throws -> PhotoFacts {
        try await pool.photoFacts(of: OwnedDescriptor(readingFile: path), named: path)
    }
}

extension RunnerPool {
    /// Decodes a picture fully, and says what it is.
    ///
    /// - Throws: `HostError` with `badInput`, `blockedFormat` or `runnerFailed`.
    nonisolated func photoFacts(
        of file: OwnedDescriptor, named name: String
    ) async throws -> PhotoFacts {
        let format = MediaFormat(firstBytes: try file.read(count: MediaFormat.sniffLength))
        guard format.isOpened else {
            throw HostError(
                .blockedFormat, "\(name): \(format.displayName) pictures are not opened")
        }
        guard let facts = try await decoded(file, format).facts else {
            throw HostError(.runnerFailed, "the runner did not say what the picture is")
        }
        return facts
    }

    /// Decodes a file fully and gives what it is.
    ///
    /// - Throws: `HostError` with `badInput`, `blockedFormat` or `runnerFailed`.
    func decoded(_ file: OwnedDescriptor, _ format: MediaFormat) async throws -> RenderReport {
        try await withRunner { runner in
            let job = RenderJob(input: RenderInput(base: .encoded(format)), output: .facts)
            switch try await runner.run(job, base: (.base, file)) {
            case .rendered(let rendered): return rendered.report
            case .fileWritten(let step, let file):
                throw runner.unexpected(.fileWritten(step: step, file))
            }
        }
    }
}
