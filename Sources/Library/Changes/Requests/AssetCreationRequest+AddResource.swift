// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

extension AssetCreationRequest {
    /// Creates a request for a new asset described only by its files. PhotoKit's counterpart of
    /// ``init(mediaType:)``.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public static func forAsset() throws -> AssetCreationRequest { try AssetCreationRequest() }

    /// Adds a file to a new asset. The file is copied immediately.
    ///
    /// The first file is the original. If it is a `photo`, the host decodes it after the block has
    /// ended, as for ``creationRequestForAssetFromImage(atFileURL:)``. Later files are companions.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`, `cannotRead`, `cannotWrite`;
    ///   `invalidRequest` if the URL is not a file URL, or the file contradicts its declared type.
    ///   `performChanges` throws the host's decoding errors.
    public func addResource(
        with type: AssetResourceType, fileURL url: URL,
        options: AssetResourceCreationOptions? = nil
    ) throws {
        let (source, blob) = try block.stage(fileAt: url)
        let resource = try NewResource(
            type, blob: blob, filename: options?.originalFilename ?? url.lastPathComponent,
            facts: nil)
        try addUnknown(resource, date: Date(microseconds: source.identity.microseconds))
        guard options?.shouldMoveFile == true else { return }
        state.withLock { $0.moved.append(MovedFile(source: source, hash: blob.hash)) }
    }

    /// Adds a file with the given bytes to a new asset; see ``addResource(with:fileURL:options:)``.
    ///
    /// - Throws: The errors of ``addResource(with:fileURL:options:)``; `sizeMismatch` if `data` is
    ///   empty.
    public func addResource(
        with type: AssetResourceType, data: Data, options: AssetResourceCreationOptions? = nil
    ) throws {
        let blob = try block.stage(data)
        let format = try blob.open().mediaFormat()
        try addUnknown(
            NewResource(
                type, blob: blob, filename: options?.originalFilename ?? Self.filename(of: format),
                facts: nil),
            date: nil)
    }

    private static func filename(of format: MediaFormat) -> String {
        let name =
            switch format.mediaType {
            case .image: "picture"
            case .video: "film"
            case .audio: "sound"
            case .unknown: "file"
            }
        return format == .unknown ? name : "\(name).\(format.filenameExtension)"
    }

    /// Adds a file without facts. A photo that is the original will be decoded.
    private func addUnknown(_ resource: NewResource, date: Date?) throws {
        let isOriginal = state.withLock { $0.resources.isEmpty }
        try add(resource)
        guard isOriginal else { return }
        state.withLock { state in
            state.fileDate = state.fileDate ?? date
            state.isToBeDecoded = [.photo, .video].contains(resource.type)
        }
    }
}
