// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// What the system tells of any process in `/proc/PID/status`.
struct ProcessStatus {
    /// How many threads it has.
    let threads: Int
    /// Bytes that it has in memory or swapped out, and the most that it had in memory.
    let memory: UInt64
    let peakMemory: UInt64
    /// The most address space that it had, in bytes.
    let peakAddressSpace: UInt64

    /// Nil where the process is gone or hidden.
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

    /// The number behind a key. This is done many times a second, so no line is made a value.
    private static func number(_ key: String, in text: String) -> UInt64? {
        text.withCString { start in
            strstr(start, "\n\(key):").map { strtoull($0 + key.utf8.count + 2, nil, 10) }
        }
    }
}

/// What lies in a runner's private folder.
struct FolderUse {
    /// What the files take up on the disk, in bytes.
    private(set) var bytes: UInt64 = 0
    /// How many files and folders there are.
    private(set) var count = 0

    /// Counts, but no further than to one more than `limit`.
    init(of path: String, upTo limit: Int) {
        // The sandbox lets nobody make folders; where a layer of it is missing, somebody may.
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
