// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The identity of a file: its device and inode.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Creates the identity from a file status.
    package init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }

    /// Creates the identity of the file at a path, following links; `nil` if it cannot be found.
    package init?(_ path: String) {
        var status = stat()
        guard path.withPath({ stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }

    /// Returns whether a path is a folder or inside it, even if parts of the path do not exist yet.
    ///
    /// Files are compared by identity, so links and the spelling of names are irrelevant. An error in the path counts
    /// as inside, to be safe. A folder that is missing or cannot be examined contains nothing.
    package static func isWithin(_ path: String, _ folder: String) -> Bool {
        guard let outer = FileIdentity(folder) else { return false }
        do {
            return try Folder.nearest(to: path).isOrHasAncestor { folder throws(SystemError) in
                FileIdentity(try folder.status()) == outer
            }
        } catch {
            return true
        }
    }
}
