// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc

extension Runner {
    /// Takes a copy of a file that an extension wrote into the runner's folder: a plain file there,
    /// never something that a link leads to. The extension cannot change the copy.
    ///
    /// - Throws: `HostError` with `extensionFailed` or `fileFailed`.
    func openWrittenFile(_ file: WrittenFile, by identifier: String) throws -> OwnedDescriptor {
        let isName = !file.name.isEmpty && !file.name.contains("/") && file.name != ".."
        let path = "\(process.folder.path)/\(file.name)"
        let number = isName ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1
        var status = stat()
        guard number >= 0, fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if number >= 0 { close(number) }
            throw HostError(
                .extensionFailed,
                "the output that it announced, \(file.contentType), is not in its folder",
                extension: identifier)
        }
        return try OwnedDescriptor(taking: number).sealedCopy()
    }
}
