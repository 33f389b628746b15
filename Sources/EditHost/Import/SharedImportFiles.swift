// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Synchronization

/// Files that several groups of an import use, such as the JSON file of a picture and its edited version. If files are
/// moved, these are removed only after all groups have been imported. They are not kept open, because there may be
/// many.
final class SharedImportFiles: Sendable {
    private struct State {
        var paths: Set<FileName> = []
        var kept: [(hash: SHA256Digest, result: ImportResult)] = []
    }

    private let state = Mutex(State())

    /// Begins an import of groups.
    func begin(_ groups: [ImportGroup]) {
        let paths = Set(groups.flatMap(\.borrowed).map(FileName.init))
        state.withLock { $0.paths = paths }
    }

    /// Keeps the hash and the result of an imported file until the end of the import.
    ///
    /// - Returns: False if only one group uses the file. It is not kept.
    func keep(_ hash: SHA256Digest, _ result: ImportResult) -> Bool {
        state.withLock { state in
            guard state.paths.contains(FileName(result.path)) else { return false }
            state.kept.append((hash, result))
            return true
        }
    }

    /// Removes and returns the files in the order in which they were kept.
    func take() -> [(hash: SHA256Digest, result: ImportResult)] {
        state.withLock { state in
            defer { state.kept = [] }
            return state.kept
        }
    }
}
