// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol

/// What an edit is started with that nobody looks at.
struct TrialPicture {
    /// The start of an edit of the picture.
    var start: SessionStart
    /// Its pixels.
    let bytes: OpenFile

    /// A gray one, in memory.
    init() throws {
        let layout = RawLayout(width: 64, height: 48, pixelFormat: .rgb8, profile: .sRGB)
        bytes = try OpenFile.memory(
            "pixels", holding: Data(repeating: 128, count: layout.byteCount))
        start = SessionStart(
            input: RenderInput(base: .raw(layout)), adjustmentData: nil, isInteractive: true,
            placeholder: nil, mediaType: .image, mediaSubtypes: [], creationDate: nil,
            location: nil, contentType: MediaFormat.png.contentType,
            renderedContentType: MediaFormat.png.contentType)
    }

    /// A gray one for an extension: the first frame of a video for one that edits no photographs.
    init(for manifest: ExtensionManifest) throws {
        try self.init()
        guard !manifest.supportedMediaTypes.contains(.image) else { return }
        start.mediaType = .video
        start.contentType = MediaFormat.mp4.contentType
        // A day, so that times in it are none that a video has not.
        let timing = FrameTiming(numerator: 1, denominator: 1000, start: 0, duration: 86_400_000)
        start.input.moment = FrameMoment(timing, FrameTime(timestamp: 0))
    }

    /// A gray one in the place of what an asset shows, with a recipe.
    init(_ adjustmentData: AdjustmentData, of history: AssetHistory) throws {
        try self.init()
        start.adjustmentData = adjustmentData
        start.mediaType = history.asset.mediaType
        guard let original = history.original, var facts = original.facts else { return }
        // Extensions are told nobody's keywords.
        facts.metadata = facts.metadata?.ofCamera
        start.input.originalFacts = facts
        start.contentType = original.format.contentType
        if let length = facts.video.flatMap({ Int64(exactly: ($0.duration * 1000).rounded()) }) {
            let timing = FrameTiming(numerator: 1, denominator: 1000, start: 0, duration: length)
            start.input.moment = FrameMoment(timing, FrameTime(timestamp: 0))
        }
    }
}
