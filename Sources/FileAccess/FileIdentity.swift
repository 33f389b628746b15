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

    /// The folder that a path leads to, or the nearest one above it that is there, and all folders above that, as paths
    /// that lead there whatever links there are.
    package static func folders(above path: String) -> [String] {
        var place = nearestFolder(to: path)
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

    /// The last folder on the way of a path that is there. Of folders that are missing, and would be made, `..` leads to the
    /// one above.
    private static func nearestFolder(to path: String) -> String {
        var place = path.utf8.first == UInt8(ascii: "/") ? "/" : "."
        var missing = 0
        for part in path.utf8.split(separator: UInt8(ascii: "/")).compactMap({ String($0) }) {
            switch part {
            case ".": continue
            case "..":
                if missing > 0 { missing -= 1 } else { place += "/.." }
            default:
                if missing == 0, isFolder("\(place)/\(part)") {
                    place += "/\(part)"
                } else {
                    missing += 1
                }
            }
        }
        return place
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return path.withPath { stat($0, &status) } == 0 && FileKind(status) == .folder
    }
}
