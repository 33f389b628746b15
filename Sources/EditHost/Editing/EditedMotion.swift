// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// The motion of a Live Photo with an edit that is not committed.
struct EditedMotion: Sendable {
    private let edit: StartedEdit
    /// The edit; nil if it changes nothing.
    private let step: StatePlan.Step?

    init(of edit: StartedEdit, step: StatePlan.Step?) { (self.edit, self.step) = (edit, step) }

    /// Renders the video for browsers.
    ///
    /// - Parameter longerSide: The longer side of the still's original at the scale of the frames, in pixels.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`.
    func video(longerSide: Int) async throws -> AssetVideo {
        let asset = edit.history.asset
        guard let motion = edit.input.motion else {
            throw HostError(
                .unsupportedMediaType, "the input of this edit has no motion",
                asset: asset.localIdentifier)
        }
        let renderer = edit.preparation.renderer
        var plan = try renderer.planner.plan(motion.below, of: motion.history)
        plan.steps += [step].compactMap(\.self)
        var settings = EncodeSettings(format: .mp4)
        let video = VideoSettings.forWeb
        settings.video = video
        let cancellation = edit.cancellation
        var rendering = VideoRendering(
            renderer: renderer, plan: plan, settings: settings, video: video,
            work: VideoWork(check: {
                try Task.checkCancellation()
                try cancellation.check()
            }))
        rendering.readHeight =
            ImageGeometry.size(
                of: PixelSize(
                    width: asset.originalPixelWidth, height: asset.originalPixelHeight),
                in: PixelSize(width: longerSide, height: longerSide), fills: false
            ).height
        let made = try await rendering.run()
        let duration =
            made.duration ?? motion.below.last?.current?.duration
            ?? plan.originalFacts.video?.duration ?? 0
        return try AssetVideo(made.bytes, .mp4, made.size, duration: duration)
    }
}
