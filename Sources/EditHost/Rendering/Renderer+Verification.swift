// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// Verifies that pictures are complete, in a runner without extensions.
extension Renderer {
    /// Checks whether a damaged base killed the runner that decoded it while an extension was computing. If so, the
    /// base is to blame and the failure does not count against the extension.
    ///
    /// - Throws: The error that decoding the base gives.
    func requireSoundness(
        of base: Base, after error: HostError, _ binaries: [ExtensionBinary]
    ) async throws {
        guard case .encoded(let format) = base.kind, let death = error.underlying as? RunnerDeath,
            case .pixels = death.phase, !Task.isCancelled
        else { return }
        do {
            _ = try await pool.decoded(base.bytes, format)
        } catch let cause as HostError {
            let suspect = binaries.first { $0.manifest.identifier == error.extensionIdentifier }
            if let suspect { pool.quarantine.removeFailure(suspect) }
            throw cause
        }
    }

    /// Verifies a file that an extension wrote. See ``RunnerPool/verified(_:_:by:)``.
    func verified(
        _ file: OpenFile, _ description: WrittenFile, by binary: ExtensionBinary
    ) async throws -> Base {
        try await pool.verified(file, description, by: binary)
    }
}
