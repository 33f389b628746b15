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
    /// The format detected from the bytes; nil if they are unavailable.
    let found: MediaFormat?

    /// The hash of the bytes, if known.
    var hash: SHA256Digest? { blob?.hash ?? reference?.hash }

    /// Creates a resource whose bytes are copied into the library.
    init(_ type: AssetResourceType, blob: StagedBlob, filename: String, facts: PhotoFacts?) throws {
        self.init(
            type, blob: blob, url: nil, reference: nil, filename: filename, facts: facts,
            found: try blob.open().mediaFormat())
    }

    /// Creates a resource for a referenced file, which is not copied.
    init(
        _ type: AssetResourceType, reference: FileReference, filename: String, facts: PhotoFacts?
    ) throws {
        self.init(
            type, blob: nil, url: reference.url, reference: reference, filename: filename,
            facts: facts, found: reference.format)
    }

    /// Creates a resource for a referenced file whose bytes are unavailable.
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
}

/// Detection of the format from the bytes. The caller's declarations apply if it fails.
extension NewResource {
    /// Returns the media type of an asset with this resource as its original.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if the caller declared a different one.
    func mediaType(said: MediaType?, asset: String) throws -> MediaType {
        guard isRecognised else { return said ?? format.mediaType }
        if let said, said != .unknown, said != format.mediaType {
            throw contradiction("an asset of type \(said.name)", asset)
        }
        return format.mediaType
    }

    /// Rejects a file whose bytes contradict its resource type or facts.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    func requireConsistency(asset: String) throws {
        guard isRecognised else { return }
        if let said = type.mediaType, said != format.mediaType {
            throw contradiction("a resource of type \(type.name)", asset)
        }
        if let facts, facts.format != format {
            throw contradiction("one with the facts of a \(facts.format.displayName) file", asset)
        }
    }

    private var isRecognised: Bool { found?.determinesMediaType ?? false }

    private func contradiction(_ said: String, _ asset: String) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "\(filename) is a \(format.displayName) file, but was added as \(said)",
            asset: asset)
    }
}

extension AssetResourceType {
    /// The media type required of files with this role; nil for files that are not media.
    fileprivate var mediaType: MediaType? {
        switch self {
        case .photo, .alternatePhoto, .fullSizePhoto, .adjustmentBasePhoto: .image
        case .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo,
            .adjustmentBasePairedVideo, .adjustmentBaseVideo:
            .video
        case .audio: .audio
        default: nil
        }
    }
}
