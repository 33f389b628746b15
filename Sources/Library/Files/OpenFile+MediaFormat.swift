// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

extension OpenFile {
    /// Detects the format of the file from its first bytes.
    ///
    /// - Throws: `LibraryError` with `cannotRead`.
    func mediaFormat() throws -> MediaFormat {
        var bytes = [UInt8](repeating: 0, count: MediaFormat.sniffLength)
        do {
            let count = try bytes.withUnsafeMutableBytes { try read(into: $0, at: 0) }
            return MediaFormat(firstBytes: bytes.prefix(count))
        } catch let error as SystemError {
            throw LibraryError.reading(path, error)
        }
    }
}
