// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

/// A reference to a file that stays in place, with its attributes at the time of reading.
public struct FileReference: Hashable, Sendable {
    /// The `file:` URL of the file.
    public let url: String
    /// The hash of the file's content.
    public let hash: SHA256Digest
    /// The size of the file in bytes.
    public let size: Int
    /// The modification time in microseconds since 1970.
    let date: Int64

    /// The format of the file, detected from its first bytes.
    let format: MediaFormat

    init(url: String, hash: SHA256Digest, size: Int, date: Int64, format: MediaFormat) {
        self.url = url
        self.hash = hash
        self.size = size
        self.date = date
        self.format = format
    }

    /// Creates a reference from the resource of a referenced original. Returns nil if the content
    /// is stored in the library or unavailable.
    package init?(_ original: AssetResource) {
        guard original.blob == nil, let url = original.url, url.hasPrefix("file:"),
            let hash = original.contentHash, let size = original.size,
            let date = original.contentDate
        else { return nil }
        self.init(url: url, hash: hash, size: size, date: date, format: original.format)
    }

    /// Reads a file in order to reference it.
    ///
    /// - Throws: `LibraryError` with `cannotRead`, or `sizeMismatch` if the file is empty.
    public init(path: String) throws {
        let source = try SourceFile(path: path)
        guard source.identity.size > 0 else {
            throw LibraryError(.sizeMismatch, "the file is empty", path: path)
        }
        let hash = try FileBytes.hash(of: source.file)
        try source.requireUnchanged()
        self.init(
            url: FileAddress.url(ofPath: source.path), hash: hash, size: source.identity.size,
            date: source.identity.microseconds, format: try source.file.mediaFormat())
    }
}
