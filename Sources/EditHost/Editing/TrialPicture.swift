// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerProtocol

/// A small gray picture for edits that only test an extension.
struct TrialPicture {
    /// The message that starts an edit of the picture.
    var start: SessionStart
    /// The pixels.
    let bytes: OpenFile

    /// Creates a gray picture in memory.
    init() throws {
        let layout = UncompressedLayout(width: 64, height: 48, pixelFormat: .rgb8, profile: .sRGB)
        bytes = try OpenFile.memory(
            "pixels", holding: Data(repeating: 128, count: layout.byteCount))
        start = SessionStart(
            input: RenderInput(base: .raw(layout)), adjustmentData: nil, isInteractive: true,
            placeholder: nil, mediaType: .image, mediaSubtypes: [], creationDate: nil,
            location: nil, contentType: MediaFormat.png.contentType,
            renderedContentType: MediaFormat.png.contentType)
    }

    /// Creates a picture of a type that an extension edits: a video's first frame if it edits no photos.
    init(for manifest: ExtensionManifest) throws {
        try self.init()
        guard !manifest.supportedMediaTypes.contains(.image) else { return }
        start.mediaType = .video
        start.contentType = MediaFormat.mp4.contentType
        // The duration is a day, so that time parameters stay within it.
        let timing = FrameTiming(numerator: 1, denominator: 1000, start: 0, duration: 86_400_000)
        start.input.moment = FrameIdentity(timing, FrameTime(timestamp: 0))
    }

    /// Creates a picture with the type and facts of an asset, and with a recipe.
    init(_ adjustmentData: AdjustmentData, of history: AssetHistory) throws {
        try self.init()
        start.adjustmentData = adjustmentData
        start.mediaType = history.asset.mediaType
        guard let original = history.original, var facts = original.facts else { return }
        // Extensions receive no private metadata, such as keywords.
        facts.metadata = facts.metadata?.ofCamera
        start.input.originalFacts = facts
        start.contentType = original.format.contentType
        if let length = facts.video.flatMap({ Int64(exactly: ($0.duration * 1000).rounded()) }) {
            let timing = FrameTiming(numerator: 1, denominator: 1000, start: 0, duration: length)
            start.input.moment = FrameIdentity(timing, FrameTime(timestamp: 0))
        }
    }
}
