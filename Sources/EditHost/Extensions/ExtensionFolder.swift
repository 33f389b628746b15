// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// The folder of an extension, opened once. Its path may be a link; of what lies in it, only
/// regular files are opened, and no link is followed, so that nothing there can lead out of it or
/// make the host wait.
struct ExtensionFolder {
    let path: String
    private let folder: Folder

    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`.
    init(_ path: String) throws {
        self.path = path
        do {
            folder = try Folder(root: path)
        } catch {
            throw HostError.file("cannot be opened", path: path, error.number)
        }
    }

    /// Opens a file of the folder read only.
    ///
    /// - Throws: `HostError` with `noSuchFile` or `fileFailed`, naming the path.
    func file(_ name: String) throws -> OpenFile {
        do {
            return try folder.file(name, O_RDONLY)
        } catch {
            if error.misplaced != nil {
                throw HostError(.fileFailed, "\(path)/\(name) is not a regular file")
            }
            throw HostError.file("cannot be opened", path: "\(path)/\(name)", error.number)
        }
    }
}
