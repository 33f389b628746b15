// SPDX-License-Identifier: Apache-2.0

import Glibc

// Each ancestor is opened relative to its child's descriptor. A path as text could exceed the length limit, or
// resolve differently from one call to the next.
extension Folder {
    /// Opens the folder at a path, or its nearest existing ancestor. Links are followed.
    ///
    /// `..` after a missing folder refers to the parent that would be created.
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

    /// Returns whether a condition holds for this folder or one of its ancestors.
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

    /// Opens a subfolder, following links, or the parent; `nil` if it does not exist or is inaccessible.
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
