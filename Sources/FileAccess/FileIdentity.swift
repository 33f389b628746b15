// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Which file a path leads to.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// The file of a status.
    package init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }

    /// Nil: to none that can be found.
    package init?(_ path: String) {
        var status = stat()
        guard path.withPath({ stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }

    /// Whether a path leads to a folder or into it, or would if the folders that are missing were made. Files are
    /// compared, so that neither links nor the spelling of names matter. True also if that cannot be found out.
    package static func isWithin(_ path: String, _ folder: String) -> Bool {
        guard let outer = FileIdentity(folder) else { return false }
        do {
            return try Folder.nearest(to: path).isAny { folder throws(SystemError) in
                FileIdentity(try folder.status()) == outer
            }
        } catch {
            return true
        }
    }
}

// The way up. Each folder is reached from the one below by its descriptor: a path as text could become too long, and lead
// elsewhere from one call to the next.
extension Folder {
    /// The folder that a path leads to, or the nearest one above it that is there. Links are followed. Of folders that are missing, and
    /// would be made, `..` leads to the one above.
    package static func nearest(to path: String) throws(SystemError) -> Folder {
        var place = try Folder(writing: path.utf8.first == UInt8(ascii: "/") ? "/" : ".")
        var missing = 0
        for part in path.utf8.split(separator: UInt8(ascii: "/")).compactMap({ String($0) }) {
            switch part {
            case ".": continue
            case "..":
                if missing > 0 { missing -= 1 } else { place = try place.inner("..") ?? place }
            default:
                if missing == 0, let next = try place.inner(part) {
                    place = next
                } else {
                    missing += 1
                }
            }
        }
        return place
    }

    /// Whether something is true of this folder or of one above it.
    package func isAny(
        _ isWanted: (Folder) throws(SystemError) -> Bool
    ) throws(SystemError) -> Bool {
        var place = self
        while try !isWanted(place) {
            guard let next = try place.inner(".."),
                try !next.status().isSameFile(as: place.status())
            else { return false }
            place = next
        }
        return true
    }

    /// Opens a folder in this one, following links, or the one above; nil if there is none, or this process may not go there.
    private func inner(_ name: String) throws(SystemError) -> Folder? {
        let number = name.withPath { path in
            retrying { openat(descriptor, path, Self.pathOnly | O_DIRECTORY | O_CLOEXEC) }
        }
        guard number >= 0 else {
            guard ![EMFILE, ENFILE, ENOMEM].contains(errno) else { throw SystemError("openat") }
            return nil
        }
        let file = OpenFile(descriptor: number, path: name == ".." ? path : "\(path)/\(name)")
        return Folder(file, device: try file.systemStatus().st_dev)
    }
}
