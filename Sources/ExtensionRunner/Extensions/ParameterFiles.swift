// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport

/// The files that parameters of one request's edits name, by "sha256:" and their hashes. Later ones are added
/// by the session; all stay as long as this lives.
final class ParameterFiles: Sendable {
    private let loaded = Monitor([LoadedFiles]())

    /// - Throws: `RunnerFailure` with `badRequest`.
    init(_ files: [PackedFile]?, _ incoming: Incoming) throws(RunnerFailure) {
        try add(files ?? [], incoming)
    }

    /// Takes what came with a request.
    ///
    /// - Throws: `RunnerFailure` with `badRequest`.
    func add(_ files: [PackedFile], _ incoming: Incoming) throws(RunnerFailure) {
        guard !files.isEmpty else { return }
        let new = try LoadedFiles(files, try incoming.descriptor(.parameterFiles))
        loaded.access { $0.append(new) }
    }

    /// The bytes of a file; nil where there is none of this name.
    func bytes(_ name: String) -> UnsafeRawBufferPointer? {
        loaded.access { $0 }.lazy.compactMap { $0.bytes(name) }.first
    }
}
