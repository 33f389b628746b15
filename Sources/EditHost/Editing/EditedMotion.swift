// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// The motion of a Live Photo with an edit that is not committed.
struct EditedMotion: Sendable {
    private let renderer: Renderer
    private let cancellation: EditCancellation
    private let asset: Asset
    private let motion: (history: AssetHistory, below: [Edit])
    private let step: StatePlan.Step?

    /// - Parameter step: The step of the edit; nil if it changes nothing.
    /// - Throws: `HostError` with `unsupportedMediaType` if the input of the edit has no motion.
    init(of edit: StartedEdit, step: StatePlan.Step?) throws {
        asset = edit.history.asset
        guard let motion = edit.input.motion else {
            throw HostError(
                .unsupportedMediaType, "the input of this edit has no motion",
                asset: asset.localIdentifier)
        }
        (renderer, cancellation) = (edit.renderer, edit.cancellation)
        (self.motion, self.step) = (motion, step)
    }

    /// Renders the video for browsers.
    ///
    /// - Parameter longerSide: The longer side of the still's original at the scale of the frames, in pixels.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`.
    func video(longerSide: Int) async throws -> AssetVideo {
        var plan = try renderer.planner.plan(motion.below, of: motion.history)
        plan.steps += [step].compactMap(\.self)
        let video = VideoSettings.forWeb
        var settings = EncodeSettings(format: .mp4)
        settings.video = video
        let cancellation = cancellation
        var rendering = VideoRendering(
            renderer: renderer, plan: plan, settings: settings, video: video,
            callbacks: VideoRenderCallbacks(check: {
                try Task.checkCancellation()
                try cancellation.check()
            }))
        let original = PixelSize(
            width: asset.originalPixelWidth, height: asset.originalPixelHeight)
        let reduced = PixelSize(width: longerSide, height: longerSide)
        rendering.readHeight = ImageGeometry.size(of: original, in: reduced, fills: false).height
        let made = try await rendering.run()
        let duration =
            made.duration ?? motion.below.last?.current?.duration
            ?? plan.originalFacts.video?.duration ?? 0
        return try AssetVideo(made.bytes, .mp4, made.size, duration: duration)
    }
}
