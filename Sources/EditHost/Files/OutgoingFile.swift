// SPDX-License-Identifier: Apache-2.0

import Hashing
import EditingModel
import FileAccess
import Foundation
import Library

/// Bytes that leave the library, and the hash that they must have.
struct OutgoingFile: Sendable {
    /// The hash of stored or referenced bytes, and the error to throw if it does not match.
    struct Expectation: Sendable {
        let hash: SHA256Digest
        let mismatch: LibraryError
    }

    let bytes: OpenFile
    /// The expected hash, or nil for bytes that this process has just produced.
    let expectation: Expectation?
    /// False for a file that a dry run has not produced. An empty file is known.
    let isKnown: Bool

    /// Creates a file from bytes that this process has produced.
    init(_ bytes: OpenFile) { self.init(bytes, isKnown: true) }

    fileprivate init(_ bytes: OpenFile, isKnown: Bool) {
        (self.bytes, self.isKnown) = (bytes, isKnown)
        expectation = nil
    }

    /// Creates a file from a resource of an asset, stored or referenced.
    ///
    /// - Throws: `LibraryError` if the file is missing.
    init(_ resource: AssetResource, in library: PhotoLibrary) throws {
        let (file, hash, mismatch) = try library.openToCopy(resource)
        (bytes, isKnown) = (file, true)
        expectation = Expectation(hash: hash, mismatch: mismatch)
    }

    /// Creates a file from a stored blob.
    ///
    /// - Throws: `LibraryError` if the blob is missing.
    init(_ blob: SHA256Digest, ofAsset asset: String, in library: PhotoLibrary) throws {
        bytes = try library.openBlob(blob, ofAsset: asset, for: .preview)
        isKnown = true
        expectation = Expectation(hash: blob, mismatch: library.damage(of: blob, ofAsset: asset))
    }

    /// Returns the bytes in chunks of at most `count`.
    func parts(of count: Int = 1 << 20) -> Parts { Parts(file: self, count: count) }

    /// Computes the hash of all bytes.
    ///
    /// - Throws: `HostError` with `fileFailed`.
    func hash() throws -> SHA256Digest {
        var parts = parts()
        while try parts.next() != nil { try Task.checkCancellation() }
        return parts.hash
    }

    /// Reads the whole file and checks its hash.
    ///
    /// - Throws: `LibraryError` if the hash does not match; `HostError` with `fileFailed`.
    func verify() throws {
        guard expectation != nil else { return }
        var parts = parts()
        while try parts.next() != nil { try Task.checkCancellation() }
    }

    /// Reads a file from its beginning and checks its hash at the end.
    struct Parts {
        let file: OutgoingFile
        let count: Int
        private var offset = 0
        private var hasher = SHA256()

        /// The hash of the bytes read so far.
        var hash: SHA256Digest { SHA256Digest(bytes: hasher.finalize()) }

        fileprivate init(file: OutgoingFile, count: Int) {
            self.file = file
            self.count = count
        }

        /// Returns the next bytes, or nil at the end of the file.
        ///
        /// - Throws: `LibraryError` at the end of the file if the hash does not match;
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

extension OutgoingFile {
    /// A file that a dry run has not produced.
    static var unknown: Self {
        get throws { Self(try .memory("dry run"), isKnown: false) }
    }
}
