// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Logging
import RunnerHost

/// Checks files for libraries, in runners without extensions.
struct HostVerifier: ContentVerifier {
    let extensions: ExtensionStore
    let pool: RunnerPool
    let logger: Logger

    func photoFacts(of file: StagedBlob, named filename: String) async throws -> PhotoFacts {
        try await pool.photoFacts(of: file.open(), named: filename)
    }

    func prepare(
        _ output: ContentEditingOutput, in library: PhotoLibrary
    ) async throws -> ContentEditingOutput {
        let preparation = OutputPreparation(
            renderer: Renderer(
                library: library, pool: pool, extensions: extensions, purpose: .rendering,
                stagedOriginal: output.input.stagedOriginal), library: library)
        do {
            return try await preparation.prepare(output)
        } catch let error as HostError {
            let asset = output.input.asset.localIdentifier
            if Task.isCancelled {
                throw HostError(.cancelled, "the edit was cancelled", asset: asset)
            }
            throw error.naming(asset: asset)
        }
    }

    func makeFiles() throws -> ContentEditingFiles {
        ContentEditingFiles(in: try PrivateFolder(for: .edit))
    }

    func pickBestFrames(ofBursts bursts: Set<String>, in library: PhotoLibrary) async {
        let renderer = Renderer(
            library: library, pool: pool, extensions: extensions, purpose: .preview)
        // If the task is cancelled, its change is already committed, and the next change of the burst picks again.
        try? await BurstPicker(renderer: renderer, library: library, logger: logger).pick(
            fromBursts: bursts)
    }
}
