// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

extension OpenFile {
    /// The size of the copy buffer, in bytes.
    private static let chunkSize = 1 << 20

    /// Copies a byte range into an unnamed temporary file.
    ///
    /// - Throws: `LibraryError`: `cannotRead` if the file is truncated, `cannotWrite` if the disk
    ///   is full.
    package func unnamedCopy(of range: Range<Int>) throws -> OpenFile {
        let copy: OpenFile
        do {
            copy = try .unnamed()
        } catch {
            throw LibraryError.writing("the folder for temporary files", error)
        }
        var buffer = [UInt8](repeating: 0, count: min(Self.chunkSize, range.count))
        var place = range.lowerBound
        while place < range.upperBound {
            let wanted = min(buffer.count, range.upperBound - place)
            do {
                let count = try buffer.withUnsafeMutableBytes { bytes in
                    try read(
                        into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted]), at: place)
                }
                guard count > 0 else {
                    throw LibraryError(.cannotRead, "the file is shorter than it was", path: path)
                }
                try buffer.withUnsafeBytes { bytes in
                    try copy.write(
                        UnsafeRawBufferPointer(rebasing: bytes[..<count]),
                        at: place - range.lowerBound)
                }
                place += count
            } catch let error as SystemError {
                throw LibraryError.reading(path, error)
            }
        }
        return copy
    }
}
