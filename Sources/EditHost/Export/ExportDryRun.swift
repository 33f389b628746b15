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
            try Self.requireCreatable(path)
            let standIn = try PrivateFolder(for: .edit)
            folder = try ExportFolder.failing(standIn.path) { try Folder(root: standIn.path) }
            self.standIn = standIn
        } catch let error where error.number == ENOTDIR {
            throw Self.refusal(path, error.number)
        } catch {
            throw HostError.file("cannot be read", path: path, error)
        }
        try folder.requireWritable(path)
    }

    /// Rejects a missing folder that an export could not create.
    private static func requireCreatable(_ path: String) throws {
        guard !path.isEmpty else { throw HostError(.fileFailed, "the name of the folder is empty") }
        var missing = path
        while true {
            var status = stat()
            // A link whose target is missing. An export does not create the target.
            if missing.withPath({ lstat($0, &status) }) == 0 { throw refusal(path, ENOENT) }
            let above = missing.pathParts.folder
            do {
                let number = try Folder(writing: above).obstacleToNewFiles
                if let number { throw refusal(path, number) }
                return
            } catch let error as SystemError {
                guard error.number == ENOENT, above.pathParts.folder != above else {
                    throw refusal(path, error.number)
                }
                missing = above
            }
        }
    }

    private static func refusal(_ path: String, _ number: Int32) -> HostError {
        HostError(
            .fileFailed,
            "the folder \(path) cannot be created: \(String(cString: strerror(number)))")
    }

    /// Returns whether a file would have this name now.
    func exists(_ name: FileName) throws -> Bool {
        if written.contains(name) { return true }
        return try !removed.contains(name) && folder.place(of: name)?.status() != nil
    }
}
