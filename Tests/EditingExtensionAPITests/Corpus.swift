// SPDX-License-Identifier: Apache-2.0

import Glibc
import Vips

/// The folder of test pictures that `EDITHOST_CORPUS` names, if it is set.
enum Corpus {
    static let folder: String? = getenv("EDITHOST_CORPUS").map { String(cString: $0) }

    static func picture(_ path: String) throws -> Image {
        try VipsLibrary.initialize()
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return try Image(source: ImageSource(fileDescriptor: file)).copiedToMemory()
    }
}
