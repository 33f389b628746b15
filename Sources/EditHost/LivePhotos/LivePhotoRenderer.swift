// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerHost
import RunnerProtocol

/// Renders the still and the video of a Live Photo that an application edits.
struct LivePhotoRenderer: Sendable {
    /// The frame processor and the volume of an edit.
    struct Edit: Sendable {
        let processor: LivePhotoFrameProcessor?
        let volume: Double
    }

    private let input: ContentEditingInput
    private let renderer: Renderer
    private let motion: (history: AssetHistory, below: [Library.Edit])

    /// - Returns: Nil if the input has no motion.
    init?(_ input: ContentEditingInput) {
        guard let renderer = input.media?.renderer, let motion = input.motion else { return nil }
        self.input = input
        self.renderer = renderer
        self.motion = motion
    }

    var identifier: String { input.asset.localIdentifier }
    var duration: Double {
        motion.below.last?.current?.duration
            ?? motion.history.original?.facts?.video?.duration ?? 0
    }
    var photoTime: Double? { input.history.stillTime }

    // MARK: - The still

    /// The still that the edit starts from.
    struct Still {
        let image: AssetImage
        fileprivate let plan: StatePlan
        fileprivate let base: Renderer.Base
    }

    /// - Parameter longerSide: The longer side of the result, in pixels; nil means full size.
    func still(longerSide: Int?) async throws -> Still {
        let plan = try renderer.planner.plan(input.below, of: input.history)
        let base = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan)
        let pixels = try await renderer.run(
            plan.steps, over: base, of: plan, UncompressedPixelsOutput(longerSide: longerSide))
        return Still(image: try AssetImage(pixels), plan: plan, base: base)
    }

    private func edited(_ still: Still, _ edit: Edit) throws -> AssetImage {
        try Task.checkCancellation()
        guard let processor = edit.processor else { return still.image }
        let scale =
            Double(still.image.width) / Double(max(1, input.history.asset.originalPixelWidth))
        let image = try processor(
            LivePhotoFrame(
                image: still.image, time: photoTime ?? 0, type: .photo, renderScale: min(1, scale)))
        guard let image else { throw Self.missing("the still") }
        guard image.pixelFormat == still.image.pixelFormat, image.profile == still.image.profile
        else {
            throw HostError(
                .invalidRenderedContent,
                "the still returned by the frame processor differs from its input in pixel "
                    + "format or profile")
        }
        return image
    }

    private static func missing(_ frame: String) -> HostError {
        HostError(.invalidRenderedContent, "the frame processor returned no image for \(frame)")
    }

    // MARK: - The video

    private func video(
        _ edit: Edit, adjusting change: (inout VideoSettings) -> Void = { _ in }
    ) async throws -> (picture: EncodedOutput.Picture, format: MediaFormat) {
        let plan = try renderer.planner.plan(motion.below, of: motion.history)
        var settings = EncodeSettings.rendition(of: plan.originalFacts)
        var video = settings.video ?? VideoSettings()
        change(&video)
        // A video for playback is edited at its reduced size.
        let readHeight = video.height
        video.height = nil
        settings.video = video
        // MP4 cannot hold the uncompressed samples of sound with a changed volume.
        if ![0, 1].contains(edit.volume) { settings.format = .quickTime }
        var rendering = VideoRendering(
            renderer: renderer, plan: plan, settings: settings, video: video,
            callbacks: VideoRenderCallbacks())
        rendering.readHeight = readHeight
        rendering.volume = edit.volume == 1 ? nil : edit.volume
        if let processor = edit.processor {
            rendering.program = { image, time, scale in
                try Task.checkCancellation()
                let frame = LivePhotoFrame(
                    image: image, time: time, type: .video, renderScale: scale)
                guard let image = try processor(frame) else {
                    throw Self.missing("the frame at \(time) s")
                }
                return image
            }
        }
        return (try await rendering.run(), settings.format)
    }

    // MARK: - Results

    /// Renders the edited Live Photo for playback.
    func playback(_ edit: Edit, fitting box: PixelSize) async throws -> LivePhoto {
        let size = PixelSize(
            width: input.history.asset.pixelWidth, height: input.history.asset.pixelHeight)
        let target = ImageGeometry.size(
            of: size, in: PixelSize(width: max(1, box.width), height: max(1, box.height)),
            fills: false)
        let image = try edited(
            try await still(longerSide: max(target.width, target.height)), edit)
        let (picture, format) = try await video(edit) { video in
            video.height = target.height
            video.preset = "veryfast"
        }
        return LivePhoto(
            image, try AssetVideo(picture.bytes, format, picture.size, duration: duration))
    }

    /// Writes the edited Live Photo to the URLs of an output.
    func save(_ edit: Edit, to output: ContentEditingOutput) async throws {
        let paths = try output.writtenFiles().map(\.path) + output.writtenMotion().map(\.path)
        let still = try await still(longerSide: nil)
        let picture = try await encoded(try edited(still, edit), of: still)
        let (video, format) = try await video(edit)
        try Task.checkCancellation()
        // Files from an earlier call.
        for path in paths { try FileManager.default.removeItem(atPath: path) }
        let motion = try output.motionURL(for: format).path
        try NewFile.make(motion, with: OutgoingFile(video.bytes))
        do {
            try NewFile.make(
                output.renderedContentURL(for: .tiff).path, with: OutgoingFile(picture.bytes))
        } catch {
            try? FileManager.default.removeItem(atPath: motion)
            throw error
        }
    }

    private func encoded(
        _ image: AssetImage, of still: Still
    ) async throws -> EncodedOutput.Picture {
        let layout = UncompressedLayout(
            width: image.width, height: image.height, pixelFormat: image.pixelFormat,
            profile: image.profile)
        let memory = try OpenFile.sealedMemory("pixels", holding: image.data)
        let profile = try image.originalProfile.map {
            try OpenFile.sealedMemory("profile", holding: $0)
        }
        let pixels = UncompressedPixels(
            buffer: PixelBuffers.sealed(memory, layout.byteCount), layout: layout, profile: profile,
            fullSize: nil)
        let base = Renderer.Base(pixels: pixels, over: still.base)
        // The application may have moved pixels, so they are not marked as in place.
        let plan = still.plan.over(still.plan.base, still.plan.baseFormat, still.plan.steps)
        return try await renderer.run([], over: base, of: plan, EncodedOutput(.exchange))
    }
}
