// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A file that a request adds to an asset.
struct NewResource: Sendable {
    let type: AssetResourceType
    let blob: StagedBlob?
    let url: String?
    let reference: FileReference?
    let filename: String
    var facts: PhotoFacts?
    let format: MediaFormat
    /// What the bytes are; nil where they are away.
    let found: MediaFormat?

    /// The hash of the bytes, where it is known.
    var hash: SHA256Digest? { blob?.hash ?? reference?.hash }

    /// A file whose bytes will be in the library.
    init(_ type: AssetResourceType, blob: StagedBlob, filename: String, facts: PhotoFacts?) throws {
        self.init(
            type, blob: blob, url: nil, reference: nil, filename: filename, facts: facts,
            found: try Self.format(of: try blob.open()))
    }

    /// A file that stays where it is.
    init(
        _ type: AssetResourceType, reference: FileReference, filename: String, facts: PhotoFacts?
    ) throws {
        self.init(
            type, blob: nil, url: reference.url, reference: reference, filename: filename,
            facts: facts, found: reference.format)
    }

    /// A file whose bytes are away.
    init(_ type: AssetResourceType, url: String, filename: String, facts: PhotoFacts) {
        self.init(
            type, blob: nil, url: url, reference: nil, filename: filename, facts: facts,
            found: nil)
    }

    private init(
        _ type: AssetResourceType, blob: StagedBlob?, url: String?, reference: FileReference?,
        filename: String, facts: PhotoFacts?, found: MediaFormat?
    ) {
        self.type = type
        self.blob = blob
        self.url = url
        self.reference = reference
        self.filename = filename
        self.facts = facts
        self.found = found
        format = found.flatMap { $0 == .unknown ? nil : $0 } ?? facts?.format ?? .unknown
    }

    /// What a file is by its first bytes.
    static func format(of file: OpenFile) throws -> MediaFormat {
        var bytes = [UInt8](repeating: 0, count: MediaFormat.sniffLength)
        do {
            let count = try bytes.withUnsafeMutableBytes { buffer in
                try file.read(into: buffer, at: 0)
            }
            return MediaFormat(firstBytes: bytes.prefix(count))
        } catch let error as SystemError {
            throw LibraryError.reading(file.path, error)
        }
    }
}
