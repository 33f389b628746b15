// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Synchronization

/// Files that several groups of an import use, such as the JSON file of a picture and its edited version. If files are
/// moved, each of these is removed when the last of its groups has been imported. It stays if a group has failed, whose
/// picture may be imported later. The files are not kept open, because there may be many.
final class SharedImportFiles: Sendable {
    /// A file that the library has stored.
    struct Kept: Sendable {
        let hash: SHA256Digest
        /// The size in bytes.
        let size: Int
        let result: ImportResult
        /// Whether a picture that uses the file was not imported.
        var isNeeded = false
    }

    private struct State {
        /// The numbers of groups that use a file and have not been imported yet.
        var users: [FileName: Int] = [:]
        var kept: [FileName: Kept] = [:]
        /// The files that are needed by a group that has failed.
        var needed: Set<FileName> = []
    }

    private let state = Mutex(State())

    /// Begins an import of groups.
    func begin(_ groups: [ImportGroup]) {
        let shared = Set(groups.flatMap(\.borrowed).map(FileName.init))
        var users: [FileName: Int] = [:]
        for path in groups.flatMap(Self.paths) where shared.contains(path) {
            users[path, default: 0] += 1
        }
        state.withLock { [users] in $0 = State(users: users) }
    }

    /// Keeps an imported file until all its groups have been imported.
    ///
    /// - Returns: False if only one group uses the file. It is not kept.
    func keep(_ file: Kept) -> Bool {
        let path = FileName(file.result.path)
        return state.withLock { state in
            guard state.users[path] != nil else { return false }
            state.kept[path] = file
            return true
        }
    }

    /// Ends the use of files by a group.
    ///
    /// - Parameter isImported: Whether the library has the group's picture or video.
    /// - Returns: The kept files that no other group uses.
    func end(_ group: ImportGroup, isImported: Bool) -> [Kept] {
        state.withLock { state in
            Self.paths(of: group).compactMap { path in
                guard let count = state.users[path] else { return nil }
                if !isImported { state.needed.insert(path) }
                state.users[path] = count > 1 ? count - 1 : nil
                guard count == 1, var kept = state.kept.removeValue(forKey: path) else {
                    return nil
                }
                kept.isNeeded = state.needed.contains(path)
                return kept
            }
        }
    }

    /// Returns the kept files that further groups use, in the order of their paths.
    func rest() -> [Kept] {
        state.withLock { state in
            defer { state = State() }
            return state.kept.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private static func paths(of group: ImportGroup) -> [FileName] {
        (group.companions + group.borrowed).map(FileName.init)
    }
}
