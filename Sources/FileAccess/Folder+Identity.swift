// SPDX-License-Identifier: Apache-2.0

import Glibc

// Each ancestor is opened relative to its child's descriptor. A path as text could exceed the length limit, or
// resolve differently from one call to the next.
extension Folder {
    /// Opens the folder at a path, or its nearest existing ancestor. Links are followed.
    ///
    /// `..` after a missing folder refers to the parent that would be created.
    package static func nearest(to path: String) throws(SystemError) -> Folder {
        var folder = try Folder(writing: path.utf8.first == UInt8(ascii: "/") ? "/" : ".")
        var missing = 0
        for part in path.utf8.split(separator: UInt8(ascii: "/")).compactMap({ String($0) }) {
            switch part {
            case ".": continue
            case "..":
                if missing > 0 {
                    missing -= 1
                } else {
                    folder = try folder.subfolder("..") ?? folder
                }
            default:
                if missing == 0, let next = try folder.subfolder(part) {
                    folder = next
                } else {
                    missing += 1
                }
            }
        }
        return folder
    }

    /// Returns whether a condition holds for this folder or one of its ancestors.
    package func isOrHasAncestor(
        where matches: (Folder) throws(SystemError) -> Bool
    ) throws(SystemError) -> Bool {
        var folder = self
        while try !matches(folder) {
            guard let next = try folder.subfolder(".."),
                try !next.status().isSameFile(as: folder.status())
            else { return false }
            folder = next
        }
        return true
    }

    /// Opens a subfolder, following links, or the parent; `nil` if it does not exist or is inaccessible.
    private func subfolder(_ name: String) throws(SystemError) -> Folder? {
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
