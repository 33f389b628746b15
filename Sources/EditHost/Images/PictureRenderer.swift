// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

/// Finds or renders the pictures of a library's assets for display.
struct PictureRenderer: Sendable {
    let host: ExtensionHost
    let library: PhotoLibrary
    let sources: DisplaySourceCache
    let cache: RenderedPictureCache
    let thumbnails: ThumbnailStore
    let queue: RenderQueue
    let webVideos: WebVideos

    private var renderer: Renderer { host.renderer(of: library, for: .preview) }

    /// Returns the source of the current state of a version of an asset.
    ///
    /// - Throws: `LibraryError`, `HostError`.
    func source(
        ofAsset identifier: String, _ version: ImageRequestOptionsVersion,
        _ state: AssetImageState? = nil
    ) throws -> DisplaySource {
        try sources.source(ofAsset: identifier, version, state) {
            try DisplaySource(
                library.history(ofAsset: identifier), version, state, in: library,
                renderer.planner)
        }
    }

    // MARK: - Pixels

    /// Returns the picture from memory without waiting, or `nil` if it is not there.
    ///
    /// - Parameter isFinal: Whether only a picture rendered from the photo itself is accepted.
    func imageInMemory(
        _ display: DisplaySettings, of source: DisplaySource, isFinal: Bool
    ) -> AssetImage? {
        if let image = cache.image(display, of: source, isTrue: isFinal) { return image }
        guard display.thumbnail == .ifLargeEnough else { return nil }
        var better = display
        better.thumbnail = .unused
        return cache.image(better, of: source, isTrue: isFinal)
    }

    /// Returns the picture from memory or the library's cache, and otherwise renders it.
    ///
    /// - Parameter isFinal: Whether only a picture rendered from the photo itself is accepted, not a compressed
    ///   one from the cache.
    /// - Throws: `HostError`, `LibraryError`.
    func image(
        _ display: DisplaySettings, of source: DisplaySource, isFinal: Bool = false,
        _ priority: RenderQueue.Priority
    ) async throws -> AssetImage {
        if let image = imageInMemory(display, of: source, isFinal: isFinal) { return image }
        if !isFinal, let image = await keptImage(display, of: source, priority) { return image }
        var wanted = display
        if display.isKept { wanted.encoding = ThumbnailSettings.encoding }
        let result = try await render(wanted, of: source, priority)
        guard let image = result.image else {
            throw HostError(.runnerFailed, "the runner returned no picture")
        }
        cache.keep(image, display, of: source, isTrue: display.thumbnail == .unused)
        if let encoded = result.encoded { keep(encoded, display, of: source) }
        return image
    }

    /// Returns the picture from the library's cache, or `nil` if it is not there.
    private func keptImage(
        _ display: DisplaySettings, of source: DisplaySource, _ priority: RenderQueue.Priority
    ) async -> AssetImage? {
        guard let kept = keptPicture(display, of: source),
            let image = try? await decoded(kept.data, of: source, display, priority)
        else { return nil }
        cache.keep(image, display, of: source, isTrue: false)
        return image
    }

    /// Returns a smaller picture that is quickly available, or `nil` if there is none.
    func quickImage(
        _ display: DisplaySettings, of source: DisplaySource
    ) async -> AssetImage? {
        if let image = cache.smallerImage(display, of: source) { return image }
        let size = display.size(of: source)
        for side in Self.usualSides where side < max(size.width, size.height) {
            for isExact in [true, false] {
                var smaller = display
                smaller.box = ImageGeometry.size(
                    of: source.size, in: PixelSize(width: side, height: side), fills: false)
                smaller.isExact = isExact
                smaller.thumbnail = source.isOriginal ? .ifLargeEnough : .unused
                if let image = await keptImage(smaller, of: source, .quick) { return image }
            }
        }
        // Decision 25: the thumbnail of an edited file shows the state before the edit.
        guard source.isOriginal, display.crop == nil else { return nil }
        var thumbnail = display
        thumbnail.thumbnail = .only
        thumbnail.isExact = false
        return try? await render(thumbnail, of: source, .quick).image
    }

    /// The sizes that the cache is searched for, for a quick answer.
    private static let usualSides = [512, 256, 128]

    // MARK: - Files

    /// Returns the picture as a file from the library's cache, and otherwise renders and encodes it.
    ///
    /// - Parameter settings: The encoding; `nil` for the encoding of the cache.
    /// - Throws: `HostError`, `LibraryError`.
    func encodedImage(
        _ display: DisplaySettings, of source: DisplaySource, _ settings: EncodeSettings?,
        _ priority: RenderQueue.Priority
    ) async throws -> EncodedImage {
        if settings == nil, let kept = keptPicture(display, of: source),
            let format = Self.format(of: kept.data)
        {
            return EncodedImage(data: kept.data, format: format, size: kept.size)
        }
        var wanted = display
        let encoding = settings ?? ThumbnailSettings.encoding
        wanted.encoding = encoding
        wanted.writesPixels = false
        guard let encoded = try await render(wanted, of: source, priority).encoded,
            // A picture with alpha cannot be JPEG, and becomes WebP.
            encoded.format == encoding.format || encoding.format == .jpeg && encoded.format == .webp
        else {
            throw HostError(.runnerFailed, "the runner returned no picture in the requested format")
        }
        if settings == nil { keep(encoded, display, of: source) }
        return encoded
    }

    private func keptPicture(
        _ display: DisplaySettings, of source: DisplaySource
    ) -> ThumbnailStore.Picture? {
        display.cacheKey(of: source).flatMap(thumbnails.picture)
    }

    private func keep(_ picture: EncodedImage, _ display: DisplaySettings, of source: DisplaySource)
    {
        guard let key = display.cacheKey(of: source) else { return }
        thumbnails.keep(.init(data: picture.data, size: picture.size), key)
    }

    private static func format(of data: Data) -> MediaFormat? {
        let format = MediaFormat(firstBytes: data.prefix(MediaFormat.sniffLength))
        return [.jpeg, .png, .webp].contains(format) ? format : nil
    }

    // MARK: - Rendering

    private func render(
        _ display: DisplaySettings, of source: DisplaySource, _ priority: RenderQueue.Priority
    ) async throws -> RenderedPicture {
        let renderer = renderer
        return try await queue.render(.init(source: source.key, display: display), priority) {
            let picture = try await renderer.image(display, of: source.plan)
            return try RenderedPicture(picture)
        }
    }

    /// Decodes a picture from the cache.
    private func decoded(
        _ data: Data, of source: DisplaySource, _ display: DisplaySettings,
        _ priority: RenderQueue.Priority
    ) async throws -> AssetImage {
        guard let format = Self.format(of: data) else {
            throw HostError(.badInput, "the picture is not in the cache")
        }
        let renderer = renderer
        var whole = DisplaySettings()
        whole.isOpaque = display.isOpaque
        whole.isFromCache = true
        let key = RenderQueue.Key(
            source: .init(file: source.key.file, state: "kept"), display: display)
        let result = try await queue.render(key, priority) { [whole] in
            let base = Renderer.Base(
                bytes: try .memory("thumbnail", holding: data), kind: .encoded(format))
            let picture = try await renderer.run(
                [], over: base, of: source.plan, ImageOutput(display: whole))
            return try RenderedPicture(picture)
        }
        guard let image = result.image, image.size == display.box || !display.isExact else {
            throw HostError(.badInput, "the cache has a different picture")
        }
        return image
    }
}

extension PictureRenderer {
    /// Whether the picture is in the library's cache, and so available without rendering.
    func isKept(_ display: DisplaySettings, of source: DisplaySource) -> Bool {
        display.cacheKey(of: source).map(thumbnails.contains) ?? false
    }
}

extension PictureRenderer {
    init(_ host: ExtensionHost, _ library: PhotoLibrary, memoryLimit: Int) {
        host.attach(to: library)
        self.init(
            host: host, library: library, sources: DisplaySourceCache(of: library),
            cache: RenderedPictureCache(limit: memoryLimit),
            thumbnails: library.thumbnails(limit: host.configuration.thumbnailCacheLimit),
            queue: RenderQueue(limit: host.configuration.runnerLimit),
            webVideos: WebVideos(
                store: library.convertedVideos(limit: host.configuration.videoCacheLimit)))
    }
}
