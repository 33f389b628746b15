// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import Synchronization

/// The files of a job: verified copies of its inputs, and the files that have been rendered so far.
final class WorkJobFiles: RenderSource {
    private let files: Mutex<[SHA256Digest: OpenFile]>
    private let staging: StagingFolder

    /// - Parameter copies: Copies of the inputs of the job, in their order; `nil` for unavailable ones.
    init(of job: WorkJob, _ copies: [OpenFile?], staging: StagingFolder) {
        let known = zip(job.inputs, copies).compactMap { input, copy in
            copy.map { (input.sha256.digest, $0) }
        }
        files = Mutex(Dictionary(known, uniquingKeysWith: { first, _ in first }))
        self.staging = staging
    }

    /// Adds a rendered file, from which later outputs may be rendered.
    func add(_ content: RenderedContent) throws {
        let file = try content.blob.open()
        files.withLock { $0[content.blob.hash] = file }
    }

    func openOriginal(_ resource: AssetResource, for purpose: ReadingPurpose) throws -> OpenFile {
        guard let hash = resource.contentHash, let file = try open(hash) else {
            throw LibraryError(
                .originalMissing, "the original was unavailable when the plan was made",
                asset: resource.assetLocalIdentifier)
        }
        return file
    }

    func openBlob(
        _ hash: SHA256Digest, ofAsset assetIdentifier: String?, for purpose: ReadingPurpose
    ) throws -> OpenFile {
        guard let file = try open(hash) else { throw damage(of: hash, ofAsset: assetIdentifier) }
        return file
    }

    /// Runners share the offset of a descriptor, so each gets its own.
    private func open(_ hash: SHA256Digest) throws -> OpenFile? {
        try files.withLock { try $0[hash]?.readOnly() }
    }

    func damage(of hash: SHA256Digest, ofAsset assetIdentifier: String?) -> LibraryError {
        LibraryError(
            .blobMissing, "the job does not have the input \(hash.hex)", asset: assetIdentifier)
    }

    func stage(descriptor: CInt, expectedSize: Int?) async throws -> StagedBlob {
        try await staging.stage(descriptor: descriptor, expectedSize: expectedSize)
    }

    func makeTemporaryFile() throws -> OpenFile { try staging.makeTemporaryFile() }
}
