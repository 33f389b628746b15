// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import RunnerHost
import RunnerProtocol

/// Writes XMP files beside referenced originals.
struct SidecarWriter: Sendable {
    let library: PhotoLibrary
    let pool: RunnerPool
    /// Whether to replace sidecars that the library has not read.
    let replacesUnread: Bool
    let isDryRun: Bool

    /// Writes the sidecar of an asset.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func write(_ identifier: String) async throws -> SidecarResult {
        let history = try library.history(ofAsset: identifier)
        guard let original = history.original, let picture = original.referencedPath else {
            return SidecarResult(
                identifier, nil, .skipped, reason: "its original is stored in the library")
        }
        let path = picture + ".xmp"
        let file = try library.openOriginal(original, for: .rendering)
        let present = try Self.existing(path)
        let stored = history.sidecars.last {
            FileName($0.originalFilename) == FileName(original.originalFilename + ".xmp")
        }
        if let present, try OutgoingFile(present).hash() != stored?.contentHash, !replacesUnread {
            throw HostError(
                .fileFailed,
                "\(path) has changed since it was last imported; import it first, or use --force "
                    + "to replace its values")
        }
        let own = DescriptiveMetadata(
            history.asset, keywords: try history.asset.keywords(in: library))
        if let present, try await pool.readSidecar(present).described.isSame(as: own) {
            return SidecarResult(identifier, path, .unchanged)
        }
        if isDryRun { return SidecarResult(identifier, path, .written) }
        let isVideo = history.asset.mediaType == .video
        let base = try present ?? history.mainSidecar.map { try library.openOriginal($0) }
        let new = try await pool.writeSidecar(
            SidecarWriting(MetadataChanges(own)), updating: base, beside: isVideo ? nil : file)
        guard let new else { return SidecarResult(identifier, path, .unchanged) }
        if present == nil {
            try NewFile.make(path, with: OutgoingFile(new))
        } else {
            try NewFile.replace(path, with: new)
        }
        try await store(path, beside: picture)
        return SidecarResult(identifier, path, .written)
    }

    /// Opens an existing sidecar; nil if there is none.
    private static func existing(_ path: String) throws -> OpenFile? {
        var status = stat()
        guard path.withPath({ lstat($0, &status) }) == 0 else {
            guard errno == ENOENT else { throw HostError.file("cannot be read", path: path) }
            return nil
        }
        guard FileKind(status) == .regularFile else {
            throw HostError(.fileFailed, "\(path) is not a regular file")
        }
        return try OpenFile.regularFile(at: path)
    }

    /// Imports the new sidecar, so that the library knows it.
    private func store(_ path: String, beside picture: String) async throws {
        let importer = Importer(library: library, pool: pool, method: .reference, named: [])
        let results = try await importer.prepare(
            ImportGroup(primary: picture, companions: [path]))()
        if let error = results.lazy.compactMap(\.error).first { throw error }
    }
}

extension DescriptiveMetadata {
    /// Whether the values are equal within the precision of XMP.
    fileprivate func isSame(as other: DescriptiveMetadata) -> Bool {
        var (own, other) = (self, other)
        if let place = own.location, let otherPlace = other.location,
            (place.latitude - otherPlace.latitude).magnitude < 1e-7,
            (place.longitude - otherPlace.longitude).magnitude < 1e-7
        {
            (own.location, other.location) = (nil, nil)
        }
        // Libraries store dates with a precision of one millisecond.
        guard own.captureDate?.text == other.captureDate?.text else { return false }
        (own.captureDate, other.captureDate) = (nil, nil)
        guard Set(own.keywords) == Set(other.keywords) else { return false }
        (own.keywords, other.keywords) = ([], [])
        return own == other
    }
}
