// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// The implementation of the requests of an ``ImageManager``.
extension ImageManager {
    func resolved(
        _ request: ImageRequest
    ) throws -> (PictureRenderer, DisplaySource, DisplaySettings) {
        try request.check()
        let pictureRenderer = try pictureRenderer()
        let source = try pictureRenderer.source(
            ofAsset: request.assetIdentifier, request.options.version, request.options.state)
        return (pictureRenderer, source, request.display(of: source))
    }

    /// Returns the picture from memory, or a smaller one. Invalid requests return `nil` here and are reported later.
    func imageInMemory(_ request: ImageRequest) -> (image: AssetImage?, isFinal: Bool) {
        guard let (pictureRenderer, source, display) = try? resolved(request) else {
            return (nil, false)
        }
        let isFinal = request.deliveryMode == .highQualityFormat
        if let image = pictureRenderer.imageInMemory(display, of: source, isFinal: isFinal) {
            return (image, true)
        }
        return (pictureRenderer.cache.smallerImage(display, of: source), false)
    }

    /// Returns the final picture.
    func image(
        _ request: ImageRequest, _ priority: RenderQueue.Priority = .visible
    ) async throws -> AssetImage {
        let (pictureRenderer, source, display) = try resolved(request)
        return try await pictureRenderer.image(
            display, of: source, isFinal: request.deliveryMode == .highQualityFormat, priority)
    }

    /// Returns a degraded picture, or `nil` if there is none or the final one is as quick.
    func quickImage(_ request: ImageRequest) async -> AssetImage? {
        guard let (pictureRenderer, source, display) = try? resolved(request),
            !pictureRenderer.isKept(display, of: source)
        else { return nil }
        return await pictureRenderer.quickImage(display, of: source)
    }

    /// Returns the most quickly available picture, and whether it is smaller than requested.
    func fastImage(_ request: ImageRequest) async throws -> (AssetImage, isDegraded: Bool) {
        let (pictureRenderer, source, display) = try resolved(request)
        let wanted = display.size(of: source)
        if !pictureRenderer.isKept(display, of: source),
            let quick = await pictureRenderer.quickImage(display, of: source)
        {
            return (quick, quick.width < wanted.width || quick.height < wanted.height)
        }
        return (try await pictureRenderer.image(display, of: source, .visible), false)
    }

    /// Returns the picture as a file.
    func encodedImage(
        _ request: ImageRequest, _ format: MediaFormat?, quality: Int?
    ) async throws -> EncodedImage {
        var (pictureRenderer, source, display) = try resolved(request)
        guard let format else {
            let settings =
                quality == nil && display.isKept
                ? nil
                : EncodeSettings(
                    format: .jpeg, quality: quality ?? EncodeSettings.defaultQuality)
            return try await pictureRenderer.encodedImage(display, of: source, settings, .visible)
        }
        guard format.isWritten else {
            throw HostError(
                .badRequest,
                "\(format.displayName) files cannot be written; use "
                    + MediaFormat.writtenNames.joined(separator: ", "))
        }
        var settings = EncodeSettings(format: format, bitsPerSample: display.keepsProfile ? 16 : 8)
        settings.quality = format.hasQuality ? quality ?? EncodeSettings.defaultQuality : nil
        if format == .jpeg { display.isOpaque = true }
        return try await pictureRenderer.encodedImage(display, of: source, settings, .visible)
    }
}
