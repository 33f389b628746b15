// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol
import RunnerSupport

/// The files that parameters of a request's edits refer to, by "sha256:" and their hash. A session adds further
/// files. All stay mapped during the lifetime of this object.
final class ParameterFiles: Sendable {
    private let loaded = LockedValue([LoadedFiles]())

    /// - Throws: `RunnerFailure` with `badRequest` if a file is missing.
    init(_ files: [PackedFile]?, _ received: ReceivedRequest) throws(RunnerFailure) {
        try add(files ?? [], received)
    }

    /// Adds the files of a request.
    ///
    /// - Throws: `RunnerFailure` with `badRequest` if a file is missing.
    func add(_ files: [PackedFile], _ received: ReceivedRequest) throws(RunnerFailure) {
        guard !files.isEmpty else { return }
        let new = try LoadedFiles(files, try received.descriptor(.parameterFiles))
        loaded.access { $0.append(new) }
    }

    /// Returns the bytes of a file; `nil` if it does not exist.
    func bytes(_ name: String) -> UnsafeRawBufferPointer? {
        loaded.access { $0 }.lazy.compactMap { $0.bytes(name) }.first
    }
}
