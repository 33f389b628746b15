// SPDX-License-Identifier: Apache-2.0

import Hashing
import EditingModel
import FileAccess
import Foundation
import Library

/// Bytes that leave the library, and what they must be.
struct OutgoingFile: Sendable {
    /// The hash that stored or referenced bytes must have, and what to throw where they have not.
    struct Expectation: Sendable {
        let hash: SHA256Digest
        let mismatch: LibraryError
    }

    let bytes: OpenFile
    /// Nil for what this process has only just made.
    let expectation: Expectation?

    /// What this process has made itself.
    init(_ bytes: OpenFile) {
        self.bytes = bytes
        expectation = nil
    }

    /// A file that an asset names, wherever it lies.
    ///
    /// - Throws: `LibraryError` where it is not there.
    init(_ resource: AssetResource, in library: PhotoLibrary) throws {
        let (file, hash, mismatch) = try library.openToCopy(resource)
        bytes = file
        expectation = Expectation(hash: hash, mismatch: mismatch)
    }

    /// A stored file.
    ///
    /// - Throws: `LibraryError` where it is not there.
    init(_ blob: SHA256Digest, ofAsset asset: String, in library: PhotoLibrary) throws {
        bytes = try library.openBlob(blob, ofAsset: asset, for: .preview)
        expectation = Expectation(hash: blob, mismatch: library.damage(of: blob, ofAsset: asset))
    }

    /// The bytes, some at a time.
    func parts(of count: Int = 1 << 20) -> Parts { Parts(file: self, count: count) }

    /// The hash of all bytes.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func hash() throws -> SHA256Digest {
        var parts = parts()
        while try parts.next() != nil { try Task.checkCancellation() }
        return parts.hash
    }

    /// Reads all of it.
    ///
    /// - Throws: `LibraryError` where it is not what it must be; `HostError` with `fileFailed`.
    func verify() throws {
        guard expectation != nil else { return }
        var parts = parts()
        while try parts.next() != nil { try Task.checkCancellation() }
    }

    /// Reads a file from its beginning, and knows at its end whether it is what it must be.
    struct Parts {
        let file: OutgoingFile
        let count: Int
        private var offset = 0
        private var hasher = SHA256()

        /// The hash of the bytes until now.
        var hash: SHA256Digest { SHA256Digest(bytes: hasher.finalize()) }

        fileprivate init(file: OutgoingFile, count: Int) {
            self.file = file
            self.count = count
        }

        /// The next bytes; nil after the last ones.
        ///
        /// - Throws: `LibraryError` instead of the nil where the bytes were not the expected ones;
        ///   `HostError` with `fileFailed`.
        mutating func next() throws -> Data? {
            let part = try file.bytes.read(count: count, at: offset)
            guard part.isEmpty else {
                offset += part.count
                hasher.update(data: part)
                return part
            }
            if let expectation = file.expectation, hash != expectation.hash {
                throw expectation.mismatch
            }
            return nil
        }
    }
}
