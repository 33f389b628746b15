// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// Verifies that pictures are complete, in a runner without extensions.
extension Renderer {
    /// Checks whether the base ended a runner that decoded it while an extension computed. If so, the base is to
    /// blame and the extension is not quarantined.
    ///
    /// - Throws: The error in the base.
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
            if let suspect { pool.quarantine.forgive(suspect) }
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

extension RunnerPool {
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
