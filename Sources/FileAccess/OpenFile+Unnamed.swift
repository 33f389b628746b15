// SPDX-License-Identifier: Apache-2.0

import Glibc

extension OpenFile {
    /// Makes an empty file without a name in the folder for temporary files (`TMPDIR`, else `/tmp`), for what is too
    /// large for memory. Its space is free again as soon as nobody has it open.
    package static func unnamed() throws(SystemError) -> OpenFile {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        // Nobody can have made one of that name before: O_EXCL.
        let name = String(UInt64.random(in: 0 ... .max), radix: 36)
        let file = try OpenFile(
            "\(folder)/.edithost-\(name)", O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
        guard unlink(file.path) == 0 else { throw SystemError("unlink") }
        return file
    }
}
