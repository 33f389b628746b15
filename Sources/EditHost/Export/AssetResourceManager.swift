// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerHost

/// Reads and writes the bytes of the resources that `AssetResource.assetResources(for:in:)` lists.
///
/// Bytes are read from the library or from a referenced file. A version that is in neither is rendered.
///
/// Cancelling the task ends a request and removes a partially written file.
public struct AssetResourceManager: Sendable {
    /// The size of the largest chunk passed to a receiver, in bytes.
    public static let chunkSize = 1 << 20

    private let host: ExtensionHost
    private let library: PhotoLibrary

    /// Creates a manager for a library.
    public init(host: ExtensionHost, library: PhotoLibrary) {
        self.host = host
        self.library = library
    }

    /// Returns a manager for the shared library, ``PhotoLibrary/shared``, and the shared host,
    /// ``ExtensionHost/shared``.
    ///
    /// - Throws: `LibraryError` or `HostError` if one of them is unavailable.
    public static func `default`() throws -> AssetResourceManager {
        AssetResourceManager(host: try .shared, library: try .shared)
    }

    /// Streams a resource in chunks of at most ``chunkSize`` bytes.
    ///
    /// The hash of stored and referenced bytes is verified before the first chunk, and again while they are
    /// streamed.
    ///
    /// - Parameters:
    ///   - options: The request's permissions and its progress handler.
    ///   - receive: Called with each chunk, in order. An error that it throws ends the request.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`.
    public func requestData(
        for resource: AssetResource, options: AssetResourceRequestOptions? = nil,
        receive: (Data) async throws -> Void
    ) async throws {
        let file = try await open(resource)
        try file.verify()
        var progress = try ResourceProgress(of: file, options)
        var parts = file.parts(of: Self.chunkSize)
        while let part = try parts.next() {
            try Task.checkCancellation()
            try await receive(part)
            progress.add(part.count)
        }
        progress.finish()
    }

    /// Writes a resource to a new file, which appears under its name only when it is complete.
    ///
    /// - Throws: `HostError`, with `fileFailed` if the path exists; `LibraryError`, `CancellationError`.
    public func writeData(
        for resource: AssetResource, toFile path: String,
        options: AssetResourceRequestOptions? = nil
    ) async throws {
        let file = try await open(resource)
        var progress = try ResourceProgress(of: file, options)
        try NewFile.make(path, with: file) { progress.add($0) }
        progress.finish()
    }

    /// Writes a resource to a new file, like ``writeData(for:toFile:options:)`` with a path.
    ///
    /// - Throws: The same errors; `HostError` with `badRequest` if the URL is not a file URL.
    public func writeData(
        for resource: AssetResource, toFile url: URL, options: AssetResourceRequestOptions? = nil
    ) async throws {
        guard url.isFileURL else {
            throw HostError(.badRequest, "\(url) is not a file URL")
        }
        try await writeData(for: resource, toFile: url.path, options: options)
    }

    private func open(_ resource: AssetResource) async throws -> OutgoingFile {
        if let blob = resource.blob {
            // A blob pruned after the resource was listed is re-rendered.
            guard resource.isRenderable, !library.containsBlob(blob) else {
                return try OutgoingFile(resource, in: library)
            }
        } else if resource.url != nil || resource.embedding != nil {
            return try OutgoingFile(resource, in: library)
        }
        let identifier = resource.assetLocalIdentifier
        let history = try library.history(ofAsset: identifier)
        guard let tip = history.chain.last else {
            throw HostError(
                .badRequest, "no edits, so there is no \(resource.type.name)",
                asset: identifier)
        }
        switch resource.type {
        case .adjustmentData:
            return OutgoingFile(try .memory("recipe", holding: tip.adjustmentData.data))
        case .adjustmentBasePhoto:
            return OutgoingFile(try await host.previousVersion(of: identifier, in: library))
        case .fullSizePairedVideo:
            guard history.hasMotion, let motion = history.motion else {
                throw HostError(
                    .badRequest, "the current version has no motion", asset: identifier)
            }
            let picture = try await host.renderer(of: library, for: .copying)
                .picture(of: motion.chain, in: motion)
            return OutgoingFile(picture.bytes)
        case .fullSizePhoto, .fullSizeVideo:
            let picture = try await host.renderer(of: library, for: .copying)
                .picture(of: history.chain, in: history)
            return OutgoingFile(picture.bytes)
        default:
            throw HostError(
                .cannotRender, "the \(resource.type.name) is not stored", asset: identifier)
        }
    }
}

extension AssetResource {
    /// Whether it is a version that can be re-rendered, as opposed to an original.
    fileprivate var isRenderable: Bool {
        switch type {
        case .fullSizePhoto, .adjustmentBasePhoto, .fullSizeVideo, .fullSizePairedVideo:
            facts == nil && !isPrimary
        default: false
        }
    }
}
