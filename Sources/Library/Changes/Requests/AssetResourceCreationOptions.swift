// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// How a file is added to a new asset. What the file is, its bytes say.
public struct AssetResourceCreationOptions: Hashable, Sendable {
    /// The file's name without a folder; nil for the name that it has, and for bytes without a file
    /// for `picture`, `film` or `sound` with the ending of their format.
    public var originalFilename: String?
    /// Whether the file is removed from its place when the change has committed, and the library has
    /// read its own copy. Where it cannot be, it stays, and
    /// ``AssetCreationRequest/moveErrors`` says why. Ignored for bytes without a file.
    public var shouldMoveFile = false

    /// The file's own name; it stays where it is.
    public init() {}
}

extension AssetCreationRequest {
    /// Asks for a new asset of which nothing is said but by its files; PhotoKit's name of
    /// ``init(mediaType:)``.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public static func forAsset() throws -> AssetCreationRequest { try AssetCreationRequest() }

    /// Adds a file, which is copied at once, to a new asset. The first one is the asset's own original; as
    /// a `photo`, it is decoded by the host when the block has ended, as by
    /// ``creationRequestForAssetFromImage(atFileURL:)``. The others are its companions.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`, `cannotRead`, `cannotWrite`; `invalidRequest`
    ///   where the URL names no file, or the file is not what it is said to be. `performChanges`
    ///   throws what the host finds wrong with it.
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

    /// Adds a file of these bytes to a new asset, as ``addResource(with:fileURL:options:)``.
    ///
    /// - Throws: as that; `sizeMismatch` where there are no bytes.
    public func addResource(
        with type: AssetResourceType, data: Data, options: AssetResourceCreationOptions? = nil
    ) throws {
        let blob = try block.stage(data)
        let format = try NewResource.format(of: blob.open())
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

    /// Adds a file of which nothing is known; an original that is a photograph will be decoded.
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
