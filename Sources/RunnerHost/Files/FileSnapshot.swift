// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Glibc

/// A small file as it was read, to detect whether another program has changed it since.
package struct FileSnapshot: Sendable {
    /// A copy of the content, which does not change.
    package let content: OpenFile
    /// The mode and the owner of the file, and what else identifies it.
    let status: stat

    /// Reads a file without following a link. A file that another program is writing is read again.
    ///
    /// - Parameters:
    ///   - limit: The maximum length in bytes.
    ///   - path: The path in messages.
    /// - Returns: `nil` if there is no file.
    /// - Throws: `HostError` with `fileFailed` if it is not a regular file or changes constantly; `badInput` if it is
    ///   longer.
    package init?(of place: Folder.Place, limit: Int, path: String) throws {
        for _ in 0..<Self.attempts {
            let file: OpenFile
            do {
                file = try place.folder.file(place.name, O_RDONLY)
            } catch {
                if error.number == ENOENT { return nil }
                throw HostError.file("cannot be read", path: path, error)
            }
            let before = try file.hostStatus()
            guard Int(before.st_size) <= limit else {
                throw HostError(
                    .badInput, "\(path) is not changed: it is larger than \(limit >> 20) MiB")
            }
            let data = try file.read(count: Int(before.st_size) + 1, at: 0)
            let after = try file.hostStatus()
            if after.hasState(of: before), data.count == Int(after.st_size),
                after.st_ctim.tv_sec == before.st_ctim.tv_sec,
                after.st_ctim.tv_nsec == before.st_ctim.tv_nsec
            {
                content = try OpenFile.memory("sidecar", holding: data)
                status = after
                return
            }
        }
        throw HostError(.fileFailed, "\(path) is being changed by another program; try again")
    }

    private static let attempts = 4

    /// Whether a file is this one, and has the same content. The time of the status change is not compared, because
    /// renaming a file changes it.
    func isUnchanged(_ file: OpenFile) throws(SystemError) -> Bool {
        guard try file.systemStatus().hasState(of: status) else { return false }
        return try file.hasBytes(of: content)
    }

    /// Whether the file must not be changed: it has no permission to write, or this process lacks it.
    package func isReadOnly(at place: Folder.Place) -> Bool {
        // Root may write each file, so the mode is examined too.
        status.st_mode & 0o222 == 0 || !place.isWritable
    }
}

extension stat {
    /// Whether this is the status of the same file with the same size and modification time.
    fileprivate func hasState(of other: stat) -> Bool {
        FileIdentity(self) == FileIdentity(other) && st_size == other.st_size
            && st_mtim.tv_sec == other.st_mtim.tv_sec && st_mtim.tv_nsec == other.st_mtim.tv_nsec
    }
}
