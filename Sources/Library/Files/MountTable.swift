// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// The kernel's table of mounted file systems.
package enum MountTable {
    /// The network file systems, which processes on several machines may share.
    static let networkTypes: Set<String> = [
        "9p", "afs", "ceph", "cifs", "coda", "fuse.cephfs", "fuse.glusterfs", "fuse.rclone",
        "fuse.s3fs", "fuse.sshfs", "gfs2", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2",
        "orangefs", "smb3", "smbfs",
    ]

    /// The file systems in which only the kernel creates files. They report that root may write.
    package static let kernelTypes: Set<String> = [
        "cgroup", "cgroup2", "debugfs", "devpts", "proc", "securityfs", "sysfs", "tracefs",
    ]

    /// Returns the type of a file system, for example `ext4`, or nil if it is unknown.
    package static func fileSystemType(ofDevice device: dev_t) -> String? {
        type(ofDevice: name(ofDevice: device), in: table())
    }

    /// Returns "major:minor", split as glibc's `major` and `minor` macros do.
    private static func name(ofDevice device: dev_t) -> String {
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        return "\(major):\(minor)"
    }

    /// Finds the type of a device's file system in a table in the format of `/proc/self/mountinfo`.
    static func type(ofDevice device: String, in table: String) -> String? {
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2, words[2] == device,
                let dash = words.firstIndex(of: "-"), dash + 1 < words.count
            else { continue }
            return String(words[dash + 1])
        }
        return nil
    }

    private static func table() -> String {
        guard let file = try? OpenFile("/proc/self/mountinfo", O_RDONLY) else { return "" }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var text: [UInt8] = []
        while let count = try? bytes.withUnsafeMutableBytes({
            try file.read(into: $0, at: text.count)
        }), count > 0 {
            text += bytes[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
