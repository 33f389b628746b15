// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol

/// A version's bytes, as they are stored.
struct ImageData: Sendable {
    let data: Data
    let format: MediaFormat
    let orientation: Int
}

extension ImageManager {
    /// Asks for the bytes of a version of an asset, as they are stored: of a version without edits the
    /// original's, of an edited one the rendition's; it is rendered where it is not stored. The best quality
    /// is the only one.
    ///
    /// - Parameters:
    ///   - options: ``ImageRequestOptions/version`` and ``ImageRequestOptions/isSynchronous`` count; nil for
    ///     the usual.
    ///   - resultHandler: called exactly once, on any thread.
    /// - Returns: what the request can be cancelled by.
    @discardableResult
    public func requestImageDataAndOrientation(
        for asset: Asset, options: ImageRequestOptions? = nil,
        resultHandler: @escaping ImageDataResultHandler
    ) -> ImageRequestID {
        let identifier = ImageRequestID.next()
        let options = options ?? ImageRequestOptions()
        let handler: ImageRequests<ImageData>.Handler = { file, info in
            resultHandler(
                file?.data, file?.format.uniformTypeIdentifier, file?.orientation ?? 1, info)
        }
        let work: @Sendable () async throws -> ImageData = { [self] in
            try await data(ofAsset: asset.localIdentifier, options.version)
        }
        if options.isSynchronous {
            let (file, info) = waiting(identifier, work)
            handler(file, info)
        } else {
            files.begin(identifier, handler) { [self] in
                await answer(identifier) { _ in try await work() }
            }
        }
        return identifier
    }

    /// Gives the bytes of a version of an asset, as
    /// ``requestImageDataAndOrientation(for:options:resultHandler:)`` does.
    ///
    /// - Returns: the bytes, their format, and the EXIF orientation (1...8) of their pixels.
    /// - Throws: `HostError`, `LibraryError`, naming the asset; `HostError` with `cancelled`.
    public func imageDataAndOrientation(
        for asset: Asset, options: ImageRequestOptions? = nil
    ) async throws -> (data: Data, format: MediaFormat, orientation: Int) {
        let file = try await data(
            ofAsset: asset.localIdentifier, (options ?? ImageRequestOptions()).version)
        return (file.data, file.format, file.orientation)
    }

    private func data(
        ofAsset identifier: String, _ version: ImageRequestOptionsVersion
    ) async throws -> ImageData {
        let drawer = try drawer()
        let history = try drawer.library.history(ofAsset: identifier)
        guard version == .current, let tip = history.chain.last else {
            return try drawer.originalData(of: history, version)
        }
        if let stored = tip.current, drawer.library.containsBlob(stored.blob) {
            let file = try drawer.library.openBlob(stored.blob, ofAsset: identifier)
            return ImageData(
                data: try file.read(count: file.byteCount()), format: stored.format, orientation: 1)
        }
        let plan = try drawer.host.planner.plan(history.chain, of: history)
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        let picture = try await drawer.host.renderer(of: drawer.library)
            .picture(of: plan, settings)
        return ImageData(
            data: try picture.bytes.read(count: picture.byteCount), format: settings.format,
            orientation: 1)
    }
}

extension ImageDrawer {
    fileprivate func originalData(
        of history: AssetHistory, _ version: ImageRequestOptionsVersion
    ) throws -> ImageData {
        let raw = version == .original ? history.rawOriginal : nil
        guard let resource = raw ?? history.original else {
            throw HostError(
                .cannotRender, "no original", asset: history.asset.localIdentifier)
        }
        let file = try library.openOriginal(resource)
        return ImageData(
            data: try file.read(count: file.byteCount()), format: resource.format,
            orientation: resource.facts?.orientation ?? 1)
    }
}
