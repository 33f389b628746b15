// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

/// Finds or renders the pictures of a library's assets for display.
struct ImageDrawer: Sendable {
    let host: ExtensionHost
    let library: PhotoLibrary
    let sources: ImageSources
    let drawn: DrawnImages
    let thumbnails: ThumbnailStore
    let queue: DrawingQueue

    private var renderer: Renderer { host.renderer(of: library, for: .preview) }

    /// Returns the source of the current state of a version of an asset.
    ///
    /// - Throws: `LibraryError`, `HostError`.
    func source(
        ofAsset identifier: String, _ version: ImageRequestOptionsVersion
    ) throws -> ImageSource {
        try sources.source(ofAsset: identifier, version) {
            try ImageSource(
                library.history(ofAsset: identifier), version, in: library, renderer.planner)
        }
    }

    // MARK: - Pixels

    /// Returns the picture from memory without waiting, or `nil` if it is not there.
    ///
    /// - Parameter isFinal: Whether only a picture rendered from the photograph itself is accepted.
    func imageInMemory(
        _ drawing: ImageDrawing, of source: ImageSource, isFinal: Bool
    ) -> AssetImage? {
        if let image = drawn.image(drawing, of: source, isTrue: isFinal) { return image }
        guard drawing.thumbnail == .whereLargeEnough else { return nil }
        var better = drawing
        better.thumbnail = .unused
        return drawn.image(better, of: source, isTrue: isFinal)
    }

    /// Returns the picture from memory or the library's cache, and otherwise renders it.
    ///
    /// - Parameter isFinal: Whether only a picture rendered from the photograph itself is accepted, not a compressed
    ///   one from the cache.
    /// - Throws: `HostError`, `LibraryError`.
    func image(
        _ drawing: ImageDrawing, of source: ImageSource, isFinal: Bool = false,
        _ priority: DrawingQueue.Priority
    ) async throws -> AssetImage {
        if let image = imageInMemory(drawing, of: source, isFinal: isFinal) { return image }
        if !isFinal, let image = await keptImage(drawing, of: source, priority) { return image }
        var wanted = drawing
        if drawing.isKept { wanted.encoding = .thumbnail }
        let result = try await draw(wanted, of: source, priority)
        guard let image = result.image else {
            throw HostError(.runnerFailed, "the runner returned no picture")
        }
        drawn.keep(image, drawing, of: source, isTrue: drawing.thumbnail == .unused)
        if let encoded = result.encoded { keep(encoded, drawing, of: source) }
        return image
    }

    /// Returns the picture from the library's cache, or `nil` if it is not there.
    private func keptImage(
        _ drawing: ImageDrawing, of source: ImageSource, _ priority: DrawingQueue.Priority
    ) async -> AssetImage? {
        guard let kept = keptPicture(drawing, of: source),
            let image = try? await decoded(kept.data, of: source, drawing, priority)
        else { return nil }
        drawn.keep(image, drawing, of: source, isTrue: false)
        return image
    }

    /// Returns a smaller picture that is quickly available, or `nil` if there is none.
    func quickImage(
        _ drawing: ImageDrawing, of source: ImageSource
    ) async -> AssetImage? {
        if let image = drawn.smallerImage(drawing, of: source) { return image }
        let size = drawing.size(of: source)
        for side in Self.usualSides where side < max(size.width, size.height) {
            for isExact in [true, false] {
                var smaller = drawing
                smaller.box = ImageGeometry.size(
                    of: source.size, in: PixelSize(width: side, height: side), fills: false)
                smaller.isExact = isExact
                smaller.thumbnail = source.isOriginal ? .whereLargeEnough : .unused
                if let image = await keptImage(smaller, of: source, .quick) { return image }
            }
        }
        // Decision 25: the thumbnail of an edited file shows the state before the edit.
        guard source.isOriginal, drawing.crop == nil else { return nil }
        var thumbnail = drawing
        thumbnail.thumbnail = .only
        thumbnail.isExact = false
        return try? await draw(thumbnail, of: source, .quick).image
    }

    /// The sizes that the cache is searched for, for a quick answer.
    private static let usualSides = [512, 256, 128]

    // MARK: - Files

    /// Returns the picture as a file from the library's cache, and otherwise renders and encodes it.
    ///
    /// - Parameter settings: The encoding; `nil` for the encoding of the cache.
    /// - Throws: `HostError`, `LibraryError`.
    func encodedImage(
        _ drawing: ImageDrawing, of source: ImageSource, _ settings: EncodeSettings?,
        _ priority: DrawingQueue.Priority
    ) async throws -> EncodedImage {
        if settings == nil, let kept = keptPicture(drawing, of: source),
            let format = Self.format(of: kept.data)
        {
            return EncodedImage(data: kept.data, format: format, size: kept.size)
        }
        var wanted = drawing
        let encoding = settings ?? .thumbnail
        wanted.encoding = encoding
        wanted.givesPixels = false
        guard let encoded = try await draw(wanted, of: source, priority).encoded,
            // A picture with alpha cannot be JPEG, and becomes WebP.
            encoded.format == encoding.format || encoding.format == .jpeg && encoded.format == .webp
        else {
            throw HostError(.runnerFailed, "the runner returned no picture in the requested format")
        }
        if settings == nil { keep(encoded, drawing, of: source) }
        return encoded
    }

    private func keptPicture(
        _ drawing: ImageDrawing, of source: ImageSource
    ) -> ThumbnailStore.Picture? {
        drawing.cacheKey(of: source).flatMap(thumbnails.picture)
    }

    private func keep(_ picture: EncodedImage, _ drawing: ImageDrawing, of source: ImageSource) {
        guard let key = drawing.cacheKey(of: source) else { return }
        thumbnails.keep(.init(data: picture.data, size: picture.size), key)
    }

    private static func format(of data: Data) -> MediaFormat? {
        let format = MediaFormat(firstBytes: data.prefix(MediaFormat.sniffLength))
        return [.jpeg, .png, .webp].contains(format) ? format : nil
    }

    // MARK: - Drawing

    private func draw(
        _ drawing: ImageDrawing, of source: ImageSource, _ priority: DrawingQueue.Priority
    ) async throws -> Drawn {
        let renderer = renderer
        return try await queue.draw(.init(source: source.key, drawing: drawing), priority) {
            let picture = try await renderer.image(drawing, of: source.plan)
            return try Drawn(picture)
        }
    }

    /// Decodes a picture from the cache.
    private func decoded(
        _ data: Data, of source: ImageSource, _ drawing: ImageDrawing,
        _ priority: DrawingQueue.Priority
    ) async throws -> AssetImage {
        guard let format = Self.format(of: data) else {
            throw HostError(.badInput, "the picture is not in the cache")
        }
        let renderer = renderer
        var whole = ImageDrawing()
        whole.isOpaque = drawing.isOpaque
        whole.isOfCache = true
        let key = DrawingQueue.Key(
            source: .init(file: source.key.file, state: "kept"), drawing: drawing)
        let result = try await queue.draw(key, priority) { [whole] in
            let base = Renderer.Base(
                bytes: try .memory("thumbnail", holding: data), kind: .encoded(format))
            let picture = try await renderer.run(
                [], over: base, of: source.plan, ImageOutput(drawing: whole))
            return try Drawn(picture)
        }
        guard let image = result.image, image.size == drawing.box || !drawing.isExact else {
            throw HostError(.badInput, "the cache has a different picture")
        }
        return image
    }
}

extension Drawn {
    /// - Throws: `HostError`.
    init(_ picture: ImageOutput.Picture) throws {
        image = try picture.pixels.map(AssetImage.init)
        encoded = try picture.encoded.map { encoded in
            let data = try encoded.bytes.read(count: encoded.byteCount)
            return EncodedImage(
                data: data,
                format: MediaFormat(firstBytes: data.prefix(MediaFormat.sniffLength)),
                size: encoded.size)
        }
    }
}

extension EncodeSettings {
    /// The encoding of the cache. Pictures with alpha become WebP.
    fileprivate static let thumbnail = EncodeSettings(format: .jpeg, quality: 85)
}

extension Renderer {
    /// Renders the picture that a plan describes, for display.
    ///
    /// - Throws: `HostError`, naming the extension that failed and the asset; `LibraryError`.
    func image(_ drawing: ImageDrawing, of plan: StatePlan) async throws -> ImageOutput.Picture {
        do {
            let base = try open(plan.base, .encoded(plan.baseFormat), of: plan)
            return try await run(plan.steps, over: base, of: plan, ImageOutput(drawing: drawing))
        } catch let error as HostError {
            throw error.naming(asset: plan.assetIdentifier)
        }
    }
}
