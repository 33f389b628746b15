// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Which file a path leads to.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil: to none that can be found.
    package init?(_ path: String) {
        var status = stat()
        guard path.withPath({ stat($0, &status) }) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }

    /// Whether a path leads to a folder or into it, or would if the folders that are missing were made. Files are
    /// compared, so that neither links nor the spelling of names matter.
    package static func isWithin(_ path: String, _ folder: String) -> Bool {
        guard let outer = FileIdentity(folder) else { return false }
        return folders(above: path).contains { FileIdentity($0) == outer }
    }

    /// What a path leads to, or the nearest folder above it that is there, and all folders above that, as paths that
    /// lead there whatever links there are.
    package static func folders(above path: String) -> [String] {
        var place = path.isEmpty ? "." : path
        while FileIdentity(place) == nil {
            let folder = place.pathParts.folder
            if folder == place { break }
            place = folder
        }
        var folders: [String] = []
        var found = FileIdentity(place)
        while let current = found {
            folders.append(place)
            place += "/.."
            found = FileIdentity(place)
            if found == current { break }
        }
        return folders
    }
}
