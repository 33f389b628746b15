// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// The implementation of the requests of an ``ImageManager``.
extension ImageManager {
    private func resolved(
        _ request: ImageRequest
    ) throws -> (ImageDrawer, ImageSource, ImageDrawing) {
        try request.check()
        let drawer = try drawer()
        let source = try drawer.source(
            ofAsset: request.assetIdentifier, request.options.version)
        return (drawer, source, request.drawing(of: source))
    }

    /// Returns the picture from memory, or a smaller one. Invalid requests return `nil` here and are reported later.
    func imageInMemory(_ request: ImageRequest) -> (image: AssetImage?, isFinal: Bool) {
        guard let (drawer, source, drawing) = try? resolved(request) else { return (nil, false) }
        let isFinal = request.deliveryMode == .highQualityFormat
        if let image = drawer.imageInMemory(drawing, of: source, isFinal: isFinal) {
            return (image, true)
        }
        return (drawer.drawn.smallerImage(drawing, of: source), false)
    }

    /// Returns the final picture.
    func image(
        _ request: ImageRequest, _ priority: DrawingQueue.Priority = .visible
    ) async throws -> AssetImage {
        let (drawer, source, drawing) = try resolved(request)
        return try await drawer.image(
            drawing, of: source, isFinal: request.deliveryMode == .highQualityFormat, priority)
    }

    /// Returns a degraded picture, or `nil` if there is none or the final one is as quick.
    func quickImage(_ request: ImageRequest) async -> AssetImage? {
        guard let (drawer, source, drawing) = try? resolved(request),
            !drawer.isKept(drawing, of: source)
        else { return nil }
        return await drawer.quickImage(drawing, of: source)
    }

    /// Returns the most quickly available picture, and whether it is smaller than requested.
    func fastImage(_ request: ImageRequest) async throws -> (AssetImage, isDegraded: Bool) {
        let (drawer, source, drawing) = try resolved(request)
        let wanted = drawing.size(of: source)
        if !drawer.isKept(drawing, of: source),
            let quick = await drawer.quickImage(drawing, of: source)
        {
            return (quick, quick.width < wanted.width || quick.height < wanted.height)
        }
        return (try await drawer.image(drawing, of: source, .visible), false)
    }

    /// Returns the picture as a file.
    func encodedImage(
        _ request: ImageRequest, _ format: MediaFormat?, quality: Int?
    ) async throws -> EncodedImage {
        var (drawer, source, drawing) = try resolved(request)
        guard let format else {
            let settings =
                quality == nil && drawing.isKept
                ? nil
                : EncodeSettings(
                    format: .jpeg, quality: quality ?? EncodeSettings.renditionQuality)
            return try await drawer.encodedImage(drawing, of: source, settings, .visible)
        }
        guard format.isWritten else {
            throw HostError(
                .badRequest,
                "\(format.displayName) files cannot be written; use "
                    + MediaFormat.writtenNames.joined(separator: ", "))
        }
        var settings = EncodeSettings(format: format, bitsPerSample: drawing.keepsProfile ? 16 : 8)
        settings.quality = format.hasQuality ? quality ?? EncodeSettings.renditionQuality : nil
        if format == .jpeg { drawing.isOpaque = true }
        return try await drawer.encodedImage(drawing, of: source, settings, .visible)
    }
}

extension ImageDrawer {
    /// Whether the picture is in the library's cache, and so available without rendering.
    func isKept(_ drawing: ImageDrawing, of source: ImageSource) -> Bool {
        drawing.cacheKey(of: source).map(thumbnails.contains) ?? false
    }
}
