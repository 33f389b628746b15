// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// The open folder of an extension, whose path may be a symbolic link.
///
/// Inside it, only regular files are opened and links are not followed. Its content therefore cannot lead outside the
/// folder or block the host.
package struct ExtensionFolder {
    let path: String
    private let folder: Folder

    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`.
    package init(_ path: String) throws {
        self.path = path
        do {
            folder = try Folder(root: path)
        } catch {
            throw HostError.file("cannot be opened", path: path, error.number)
        }
    }

    /// Opens a file of the folder for reading.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`, with the path in its message.
    package func file(_ name: String) throws -> OpenFile {
        do {
            return try folder.file(name, O_RDONLY)
        } catch {
            if error.misplaced != nil {
                throw HostError(
                    .fileFailed, "\(path)/\(name) is not a regular file", underlying: error)
            }
            throw HostError.file("cannot be opened", path: "\(path)/\(name)", error.number)
        }
    }
}
