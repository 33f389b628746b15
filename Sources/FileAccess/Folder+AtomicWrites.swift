// SPDX-License-Identifier: Apache-2.0

import Glibc

// Files that other machines read while they are written.
extension Folder {
    /// Writes a complete file: under a temporary name, with `fsync`, and then renamed. If the file system does not
    /// support such a rename, as in some mounted object stores, the file is written under its final name.
    ///
    /// Only sequential writes are needed. Locks, links and modes are not.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - replacing: Whether a file of that name is replaced. Otherwise it is kept and the error is `EEXIST`, even if
    ///     another process creates the file during the call.
    ///   - fill: Appends the content to an empty file that is open for writing only. May be called twice.
    package func writeAtomically(
        _ name: String, replacing: Bool = true, _ fill: (OpenFile) throws -> Void
    ) throws {
        try Self.check(name)
        let temporary = ".new-" + String(UInt64.random(in: 0 ... .max), radix: 36)
        do {
            let size = try create(temporary, fill)
            do {
                if replacing {
                    try move(temporary, to: self, as: name)
                } else {
                    try moveWithoutReplacing(temporary, as: name)
                }
            } catch  where Self.isRenameUnsupported(error.number) {
                try? removeFile(temporary)
                if replacing { try removeFile(name) }
                _ = try create(name, fill)
            }
            try requireSize(size, of: name)
        } catch {
            try? removeFile(temporary)
            throw error
        }
        // Mounted object stores and network file systems may not support this.
        try? synchronize()
    }

    /// Creates, fills and closes a file, and removes it if that fails. Object stores may upload it only when it is
    /// closed.
    private func create(_ name: String, _ fill: (OpenFile) throws -> Void) throws -> Int {
        let file = try file(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        do {
            return try Self.fill(file, fill)
        } catch {
            try? removeFile(name)
            throw error
        }
    }

    private static func fill(_ file: OpenFile, _ fill: (OpenFile) throws -> Void) throws -> Int {
        try fill(file)
        let size = Int(try file.systemStatus().st_size)
        do {
            try file.synchronize()
        } catch {
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw error }
        }
        return size
    }

    // `renameat2(2)`, which the Glibc module omits.
    private typealias Rename =
        @convention(c) (
            CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt
        ) -> CInt
    private static let renameat2: Rename? = dlsym(nil, "renameat2").map {
        unsafeBitCast($0, to: Rename.self)
    }

    /// Renames a file to a name that must not exist yet. NFS, among others, cannot do this.
    private func moveWithoutReplacing(_ name: String, as other: String) throws(SystemError) {
        try rename(name, in: self, other, 1)  // RENAME_NOREPLACE
    }

    /// Exchanges two existing files atomically. NFS, among others, cannot do this.
    package func exchange(
        _ name: String, with other: String, in folder: Folder
    ) throws(SystemError) {
        try Self.check(name)
        try Self.check(other)
        try rename(name, in: folder, other, 2)  // RENAME_EXCHANGE
    }

    private func rename(
        _ name: String, in folder: Folder, _ other: String, _ flags: CUnsignedInt
    ) throws(SystemError) {
        guard let renameat2 = Self.renameat2 else {
            throw SystemError("renameat2", number: ENOSYS)
        }
        let result = name.withPath { name in
            other.withPath { renameat2(descriptor, name, folder.descriptor, $0, flags) }
        }
        guard result == 0 else { throw SystemError("renameat2") }
    }

    private func requireSize(_ size: Int, of name: String) throws {
        guard let status = try status(name), status.isPlainFile, Int(status.st_size) == size
        else { throw SystemError("close", number: EIO) }
    }

    /// Whether a rename with flags failed because the file system does not support it.
    package static func isRenameUnsupported(_ number: CInt) -> Bool {
        [ENOSYS, EOPNOTSUPP, EPERM, EXDEV, EINVAL].contains(number)
    }
}
