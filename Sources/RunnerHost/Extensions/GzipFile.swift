// SPDX-License-Identifier: Apache-2.0

import CZlib
import FileAccess
import Foundation
import Glibc

/// A file that zlib compresses or decompresses with gzip.
final class GzipFile {
    private var stream: gzFile?
    private let path: String

    /// Opens a file that is compressed with gzip, from its beginning.
    ///
    /// - Throws: `HostError` with `unusableExtension` if it is not, or `fileFailed`.
    convenience init(reading file: OpenFile) throws {
        try self.init(file, mode: "rb")
        // zlib passes through files that are not compressed.
        guard let stream, gzdirect(stream) == 0 else {
            throw HostError(.unusableExtension, "it is not compressed with gzip")
        }
    }

    /// Opens an empty file for writing. The compressed bytes contain neither a name nor a time.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    convenience init(writing file: OpenFile) throws { try self.init(file, mode: "wb9") }

    private init(_ file: OpenFile, mode: String) throws {
        path = file.path
        // zlib closes its descriptor.
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, lseek(copy, 0, SEEK_SET) == 0, let opened = gzdopen(copy, mode) else {
            if copy >= 0 { Glibc.close(copy) }
            throw HostError.file("cannot be opened", path: path)
        }
        stream = opened
    }

    deinit { if let stream { gzclose(stream) } }

    /// Reads the given number of bytes, or fewer at the end.
    ///
    /// - Throws: `HostError` with `unusableExtension` if the file is damaged.
    func read(count: Int) throws -> Data {
        var data = Data(count: count)
        let done = data.withUnsafeMutableBytes { bytes in
            gzread(stream, bytes.baseAddress, UInt32(clamping: bytes.count))
        }
        // A truncated file is an error only when it is read to its end.
        var error: Int32 = Z_OK
        gzerror(stream, &error)
        guard done >= 0, error == Z_OK || error == Z_STREAM_END else {
            throw HostError(.unusableExtension, "it is damaged or truncated")
        }
        return data.prefix(Int(done))
    }

    /// Appends bytes.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func write(_ data: Data) throws {
        guard !data.isEmpty else { return }
        let done = data.withUnsafeBytes { bytes in
            gzwrite(stream, bytes.baseAddress, UInt32(clamping: bytes.count))
        }
        guard Int(done) == data.count else {
            throw HostError.file("cannot be written", path: path)
        }
    }

    /// Writes the remaining bytes.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func finish() throws {
        defer { stream = nil }
        guard gzclose(stream) == Z_OK else {
            throw HostError.file("cannot be written", path: path)
        }
    }
}
