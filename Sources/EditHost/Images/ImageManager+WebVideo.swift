// SPDX-License-Identifier: Apache-2.0

import Library

extension ImageManager {
    /// Returns the current version of a video, or the motion of a Live Photo, in a form that browsers play.
    ///
    /// H.264 with 8 bits and 4:2:0, with AAC or without sound, in MP4 or MOV, is returned as it is stored. Every other
    /// video is converted by the media runner to an MP4 with H.264 and AAC: upright, at most 1,920 pixels wide and
    /// high, with its index at the start, without metadata. Sound that cannot be decoded is omitted.
    ///
    /// Converted videos are kept in the library's `cache/videos`, up to ``HostConfiguration/videoCacheLimit``, by
    /// content keys. Concurrent requests share a conversion, which is cancelled once all their tasks are cancelled.
    ///
    ///     let video = try await manager.webVideo(for: asset)
    ///     let file = try video.fileHandle()
    ///
    /// - Throws: `HostError`, with `unsupportedMediaType` if the current version is neither a video nor a Live Photo,
    ///   and with `blockedFormat` if the media runner is missing; `LibraryError`; `CancellationError`.
    public func webVideo(for asset: Asset) async throws -> AssetVideo {
        let (source, renderer, videos) = try webVideoSource(of: asset)
        if let stored = try await source.stored(by: renderer, videos) { return stored }
        return try await videos.video(source.key) { report in
            try await source.converted(by: renderer, report)
        }
    }

    /// Returns whether ``webVideo(for:)`` returns its video without a conversion, or how far the conversion has
    /// progressed. Nothing is converted.
    ///
    /// - Throws: The errors of ``webVideo(for:)``.
    public func webVideoState(of asset: Asset) async throws -> WebVideoState {
        let (source, renderer, videos) = try webVideoSource(of: asset)
        if let fraction = videos.fraction(source.key) { return .converting(fraction) }
        if videos.video(source.key) != nil { return .ready }
        if try await source.stored(by: renderer, videos) != nil { return .ready }
        _ = try renderer.pool.forVideos()
        return .unconverted
    }

    /// The number of conversions for browsers in flight, and of those started so far.
    package var webConversions: (inFlight: Int, begun: Int) {
        guard let videos = (try? pictureRenderer())?.webVideos else { return (0, 0) }
        return (videos.count, videos.begun)
    }

    private func webVideoSource(
        of asset: Asset
    ) throws -> (WebVideoSource, Renderer, WebVideos) {
        let pictureRenderer = try pictureRenderer()
        let library = pictureRenderer.library
        let renderer = pictureRenderer.host.renderer(of: library, for: .copying)
        let source = try WebVideoSource(
            ofAsset: asset.localIdentifier, in: library, renderer.planner,
            extensionBuilds: pictureRenderer.host.extensionBuilds)
        return (source, renderer, pictureRenderer.webVideos)
    }
}
