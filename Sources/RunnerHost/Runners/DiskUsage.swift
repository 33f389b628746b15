// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The disk use of a runner's private folder.
struct DiskUsage {
    /// The allocated size of the files in bytes.
    private(set) var bytes: UInt64 = 0
    /// The number of files and folders.
    private(set) var count = 0

    /// Counts the files and folders, stopping after `limit` + 1.
    init(of path: String, upTo limit: Int) {
        // The sandbox forbids making folders, but a layer of it may be missing.
        var folders = [path]
        while let folder = folders.popLast(), count <= limit {
            guard let listing = opendir(folder) else { continue }
            defer { closedir(listing) }
            while count <= limit, let entry = readdir(listing) {
                add(entry, of: listing) { folders.append("\(folder)/\($0)") }
            }
        }
    }

    private mutating func add(
        _ entry: UnsafeMutablePointer<dirent>, of listing: OpaquePointer,
        folder: (_ name: String) -> Void
    ) {
        withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return }
                count += 1
                var status = stat()
                guard fstatat(dirfd(listing), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                    return
                }
                bytes += UInt64(max(0, status.st_blocks)) * 512
                if status.st_mode & S_IFMT == S_IFDIR { folder(String(cString: name)) }
            }
        }
    }
}
