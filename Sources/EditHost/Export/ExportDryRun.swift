// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc
import RunnerHost

/// What a dry run of an export would have changed in its folder.
struct ExportDryRun: Sendable {
    /// The export folder; an empty one if it does not exist.
    let folder: Folder
    /// Removes the empty folder at the end.
    private let standIn: PrivateFolder?
    /// The names that would have been given to new files.
    var written: Set<FileName> = []
    /// The names of the files that would have been removed.
    var removed: Set<FileName> = []

    /// - Throws: `HostError` with `fileFailed`.
    init(_ path: String) throws {
        do {
            folder = try Folder(root: path)
            standIn = nil
        } catch let error where error.number == ENOENT {
            let standIn = try PrivateFolder(for: .edit)
            folder = try ExportFolder.failing(standIn.path) { try Folder(root: standIn.path) }
            self.standIn = standIn
        } catch {
            throw HostError.file("cannot be read", path: path, error)
        }
        guard folder.isWritable else { throw HostError.file("cannot be written", path: path) }
    }

    /// Returns whether a file would have this name now.
    func exists(_ name: FileName) throws -> Bool {
        if written.contains(name) { return true }
        return try !removed.contains(name) && folder.place(of: name)?.status() != nil
    }
}
