// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library

/// Gives the bytes of the files behind assets, as `AssetResource.assetResources(for:in:)` lists them:
/// stored, referenced, or rendered where they are neither.
///
/// Cancelling the task ends a request; what was being written is removed.
public struct AssetResourceManager: Sendable {
    /// How many bytes are given at a time, at most.
    public static let chunkSize = 1 << 20

    private let host: ExtensionHost
    private let library: PhotoLibrary

    /// Makes a manager for a library.
    public init(host: ExtensionHost, library: PhotoLibrary) {
        self.host = host
        self.library = library
    }

    /// The manager of the shared library, ``PhotoLibrary/shared``, by the shared host,
    /// ``ExtensionHost/shared``.
    ///
    /// - Throws: `LibraryError`, `HostError`, where one of them cannot be had.
    public static func `default`() throws -> AssetResourceManager {
        AssetResourceManager(host: try .shared, library: try .shared)
    }

    /// Reads a resource from its beginning to its end.
    ///
    /// Stored and referenced bytes are read and their hash compared before the first are given, and
    /// again while they are.
    ///
    /// - Parameters:
    ///   - options: what to allow, and who is told of the progress.
    ///   - receive: gets the bytes, some at a time; what it throws ends the request.
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

    /// Writes a resource to a file that is not there yet. It appears under its name only when it is
    /// complete.
    ///
    /// - Throws: `HostError`, with `fileFailed` where there is something; `LibraryError`,
    ///   `CancellationError`.
    public func writeData(
        for resource: AssetResource, toFile path: String,
        options: AssetResourceRequestOptions? = nil
    ) async throws {
        let file = try await open(resource)
        var progress = try ResourceProgress(of: file, options)
        try NewFile.make(path, with: file) { progress.add($0) }
        progress.finish()
    }

    /// Writes a resource to a file that is not there yet, as ``writeData(for:toFile:options:)`` with
    /// a path.
    ///
    /// - Throws: as that; `HostError` with `badRequest` where the URL names no file.
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
            // What was pruned since it was listed is rendered.
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
    /// Whether it is a version, which can be made again, and no original.
    fileprivate var isRenderable: Bool {
        switch type {
        case .fullSizePhoto, .adjustmentBasePhoto, .fullSizeVideo, .fullSizePairedVideo:
            facts == nil && !isPrimary
        default: false
        }
    }
}

extension ExtensionHost {
    /// The version that the last edit was given as its input, as a file of the rendition's type;
    /// for an asset edited once, the original. It is rendered where it is not stored.
    ///
    /// - Throws: `HostError` with `badRequest` for an asset without edits, `LibraryError`.
    package func previousVersion(
        of identifier: String, in library: PhotoLibrary
    ) async throws -> OpenFile {
        let history = try library.history(ofAsset: identifier)
        guard !history.chain.isEmpty else {
            throw HostError(
                .badRequest, "no edits, so there is no previous version", asset: identifier)
        }
        let below = Array(history.chain.dropLast())
        if below.isEmpty, let original = history.original {
            return try library.openOriginal(original, for: .copying)
        }
        if let stored = below.last?.current?.blob, library.containsBlob(stored) {
            return try library.openBlob(stored, ofAsset: identifier)
        }
        return try await renderer(of: library, for: .copying).picture(of: below, in: history).bytes
    }
}
