// SPDX-License-Identifier: Apache-2.0

import Glibc

// Files that other machines read while they are written.
extension Folder {
    /// Writes a file whole: under a temporary name, with `fsync`, then renamed, which replaces a file of that name. If the
    /// file system has no rename, as some mounted object stores, the file is written under its final name.
    ///
    /// Only sequential writes are needed, and neither locks nor links nor modes.
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - fill: Appends the content to an empty file that is open for writing only. May be called twice.
    package func writeWhole(
        _ name: String, _ fill: (OpenFile) throws -> Void
    ) throws {
        try Self.check(name)
        let temporary = ".new-" + String(UInt64.random(in: 0 ... .max), radix: 36)
        do {
            let size = try makeWhole(temporary, fill)
            do {
                try move(temporary, to: self, as: name)
            } catch  where Self.meansNoRename(error.number) {
                try? removeFile(temporary)
                try removeFile(name)
                _ = try makeWhole(name, fill)
            }
            try requireSize(size, of: name)
        } catch {
            try? removeFile(temporary)
            throw error
        }
        // Mounted object stores and network file systems may not support this.
        try? synchronize()
    }

    /// Creates, fills and closes a file. Object stores may upload it only when it is closed.
    private func makeWhole(_ name: String, _ fill: (OpenFile) throws -> Void) throws -> Int {
        let file = try file(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        try fill(file)
        let size = Int(try file.systemStatus().st_size)
        do {
            try file.synchronize()
        } catch {
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw error }
        }
        return size
    }

    private func requireSize(_ size: Int, of name: String) throws {
        guard let status = try status(name), status.isPlainFile, Int(status.st_size) == size
        else { throw SystemError("close", number: EIO) }
    }

    private static func meansNoRename(_ number: CInt) -> Bool {
        [ENOSYS, EOPNOTSUPP, EPERM, EXDEV, EINVAL].contains(number)
    }
}
