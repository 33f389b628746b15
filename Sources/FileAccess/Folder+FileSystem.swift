// SPDX-License-Identifier: Apache-2.0

import Glibc

extension Folder {
    /// `syncfs(2)`, which the Glibc module omits.
    private static let syncfs: (@convention(c) (CInt) -> CInt)? = dlsym(nil, "syncfs").map {
        unsafeBitCast($0, to: (@convention(c) (CInt) -> CInt).self)
    }

    /// Whether ``synchronizeFileSystem()`` reports failed writes. Linux does so since version 5.8.
    package static let canSynchronizeFileSystem: Bool = {
        var name = utsname()
        guard syncfs != nil, uname(&name) == 0 else { return false }
        let release = withUnsafeBytes(of: &name.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 8)
    }()

    /// Flushes all files of the folder's file system to disk.
    ///
    /// It reports writes that failed since the folder was opened, each only once. Do not retry after a failure.
    package func synchronizeFileSystem() throws(SystemError) {
        guard let syncfs = Self.syncfs else { throw SystemError("syncfs", number: ENOSYS) }
        guard syncfs(descriptor) == 0 else { throw SystemError("syncfs") }
    }
}
