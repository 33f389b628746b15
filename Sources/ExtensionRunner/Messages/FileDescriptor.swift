// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A descriptor that came with a request; closed when nobody needs it any more.
final class FileDescriptor: Sendable {
    /// The number.
    let number: Int32

    /// Takes the descriptor over.
    init(taking number: Int32) { self.number = number }

    deinit { close(number) }

    /// The length of the file in bytes; nil where it has none.
    var length: Int? {
        var status = stat()
        return fstat(number, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Writes at a place in the file; false with `errno` set when that fails.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) -> Bool {
        var done = 0
        while done < bytes.count {
            let part = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(number, part.baseAddress, part.count, off_t(offset + done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
