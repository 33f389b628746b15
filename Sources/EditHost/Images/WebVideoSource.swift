// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// The current version of a video, or of the motion of a Live Photo, that is converted for browsers.
struct WebVideoSource: Sendable {
    /// Converted videos also depend on how they are encoded. Increment it if `VideoSettings+Web` changes.
    private static let seed = "web video 1, rendering \(HostVersion.rendering)"

    /// The content key of the asset, in which the encoding is included.
    let key: ContentKey
    private let source: DisplaySource
    private let duration: Double

    /// - Parameter extensionBuilds: The builds of the extensions that render states which are not stored.
    /// - Throws: `HostError` with `unsupportedMediaType` if the asset is neither a video nor a Live Photo;
    ///   `LibraryError`.
    init(
        ofAsset identifier: String, in library: PhotoLibrary, _ planner: StatePlanner,
        extensionBuilds: String
    ) throws {
        let (key, whole) = try Self.history(ofAsset: identifier, in: library, extensionBuilds)
        self.key = key
        let isVideo = whole.asset.mediaType == .video
        guard let history = isVideo ? whole : whole.motion, isVideo || whole.hasMotion else {
            throw HostError(
                .unsupportedMediaType,
                whole.pairedVideo == nil
                    ? "this is neither a video nor a Live Photo"
                    : "the current version has no motion, because only the still was edited",
                asset: identifier)
        }
        source = try DisplaySource(history, .current, in: library, planner)
        let original = source.plan.originalFacts.video?.duration ?? 0
        duration =
            isVideo ? history.asset.duration : history.chain.last?.current?.duration ?? original
    }

    /// Returns the history of an asset, and the key of the same state.
    private static func history(
        ofAsset identifier: String, in library: PhotoLibrary, _ extensionBuilds: String
    ) throws -> (ContentKey, AssetHistory) {
        func key() throws -> ContentKey {
            try library.contentKey(ofAsset: identifier, seed: seed, extensions: extensionBuilds)
        }
        while true {
            let before = try key()
            let history = try library.history(ofAsset: identifier)
            if try key() == before { return (before, history) }
        }
    }

    /// Returns the stored file if browsers can play it; otherwise `nil`.
    ///
    /// - Throws: `HostError`, with `blockedFormat` if the media runner is missing; `LibraryError`.
    func stored(by renderer: Renderer, _ videos: WebVideos) async throws -> AssetVideo? {
        let plan = source.plan
        guard let hash = source.key.file, [.mp4, .quickTime].contains(plan.baseFormat),
            plan.base != plan.original || plan.originalFacts.mayPlayInBrowsers
        else { return nil }
        let file = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan).bytes
        let isPlayable = try await videos.isPlayable(hash) {
            // Without a media runner, the facts decide.
            if renderer.pool.media == nil, plan.base == plan.original { return true }
            return try await renderer.pool.forVideos().withRunner { runner in
                try await runner.playsInBrowsers(file)
            }
        }
        guard isPlayable else { return nil }
        return try AssetVideo(file, plan.baseFormat, source.size, duration: duration)
    }

    /// Converts the video.
    ///
    /// - Throws: `HostError`, with `blockedFormat` if the media runner is missing; `LibraryError`.
    func converted(
        by renderer: Renderer, _ report: @escaping @Sendable (Double) -> Void
    ) async throws -> AssetVideo {
        var video = VideoSettings.forWeb
        let longerSide = max(source.size.width, source.size.height)
        if longerSide > VideoSettings.maximumWebSide {
            video.height = max(2, source.size.height * VideoSettings.maximumWebSide / longerSide)
        }
        var settings = EncodeSettings(format: .mp4)
        settings.video = video
        var renderer = renderer
        renderer.videoCallbacks.progress = { _, progress in report(progress.fraction) }
        let made = try await renderer.picture(of: source.plan, settings)
        return try AssetVideo(
            made.bytes, .mp4, made.size, duration: made.duration ?? duration)
    }
}

extension PhotoFacts {
    /// Whether browsers may be able to play a video with these facts. The facts do not include everything that matters.
    fileprivate var mayPlayInBrowsers: Bool {
        guard let video, bitsPerSample <= 8, video.codec == "h264" else { return false }
        return video.audioCodec ?? "aac" == "aac"
    }
}

extension Runner {
    fileprivate func playsInBrowsers(_ file: OpenFile) async throws -> Bool {
        let reply = try await send(.playsInBrowsers, [(.base, file)], timeout: timeouts.render)
        guard case .answer(let answer) = reply else { throw unexpected(reply) }
        return answer
    }
}
