// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The status of any process, read from `/proc/PID/status`.
struct ProcessStatus {
    /// The number of threads.
    let threads: Int
    /// The bytes in memory or swapped out, and the peak of the bytes in memory.
    let memory: UInt64
    let peakMemory: UInt64
    /// The peak address space in bytes.
    let peakAddressSpace: UInt64

    /// Returns `nil` if the process is gone or hidden.
    init?(pid: pid_t) {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
            let threads = Self.number("Threads", in: text)
        else { return nil }
        func kilobytes(_ key: String) -> UInt64 { Self.number(key, in: text) ?? 0 }
        self.threads = Int(clamping: threads)
        memory = (kilobytes("VmRSS") + kilobytes("VmSwap")) << 10
        peakMemory = kilobytes("VmHWM") << 10
        peakAddressSpace = kilobytes("VmPeak") << 10
    }

    /// Returns the number of a key. This runs many times a second, so the lines are not copied into strings.
    private static func number(_ key: String, in text: String) -> UInt64? {
        text.withCString { start in
            strstr(start, "\n\(key):").map { strtoull($0 + key.utf8.count + 2, nil, 10) }
        }
    }
}

/// The disk use of a runner's private folder.
struct FolderUse {
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
