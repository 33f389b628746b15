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
