// SPDX-License-Identifier: Apache-2.0

import Glibc

extension OpenFile {
    /// Creates an empty unnamed file in the temporary folder (`TMPDIR`, otherwise `/tmp`), for data that
    /// exceeds memory.
    ///
    /// Its space is released when the last descriptor is closed.
    package static func unnamed() throws(SystemError) -> OpenFile {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // O_EXCL guarantees that no other process created the file.
        let name = String(UInt64.random(in: 0 ... .max), radix: 36)
        let file = try OpenFile(
            "\(folder)/.edithost-\(name)", O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        guard unlink(file.path) == 0 else { throw SystemError("unlink") }
        return file
    }
}
