// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import Vips

/// A controller that also edits videos, one frame at a time. The manifest's `supportedMediaTypes` must contain
/// `"video"`.
///
/// The controller of the editing session returns an output with a recipe and without an image. Another controller
/// renders the video: `canHandle`, `startContentEditing` with the recipe, `processFrame` for each frame in order of
/// time, and `finishContentEditing`, whose output is ignored.
public protocol FrameProcessingController: ContentEditingController {
    /// Returns the current edit applied to a frame, as a lazy image. The images of all frames must have the same size.
    /// The host reads the whole image before the next call. It may depend only on the recipe, the frame, its time and
    /// the earlier frames.
    func processFrame(_ frame: VideoFrame) throws -> Image

    /// Returns the part of a video that a recipe keeps, or nil for all of it. The default is nil. The result must
    /// depend only on the arguments.
    ///
    /// - Parameter duration: The duration of the video in seconds.
    static func keptTime(
        _ recipe: AdjustmentData, ofDuration duration: Double
    ) throws -> KeptTime?
}

extension FrameProcessingController {
    /// The default implementation returns nil, which keeps the whole video.
    public static func keptTime(
        _ recipe: AdjustmentData, ofDuration duration: Double
    ) throws -> KeptTime? { nil }
}
