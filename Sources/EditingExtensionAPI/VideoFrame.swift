// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import Vips

/// A controller that edits videos too, one frame at a time. The manifest's `supportedMediaTypes` has
/// `"video"` then.
///
/// The controller that a video is edited with gives an output with a recipe and without an image. The
/// video is rendered by another one: `canHandle`, `startContentEditing` with the recipe, `processFrame`
/// for each frame in the order of time, and `finishContentEditing`, whose output is not used.
public protocol FrameProcessingController: ContentEditingController {
    /// The edit as it stands, applied to a frame: lazily, in the same size for all frames. All of it
    /// is read before the next call. It may depend on the recipe, the frame, its time and the frames
    /// before it alone.
    func processFrame(_ frame: VideoFrame) throws -> Image

    /// Which part of a video a recipe keeps. Nil, for all of it, unless implemented. Must depend on
    /// nothing but its arguments.
    ///
    /// - Parameter duration: how long the video lasts, in seconds.
    static func keptTime(
        _ recipe: AdjustmentData, ofDuration duration: Double
    ) throws -> KeptTime?
}

extension FrameProcessingController {
    /// All of it.
    public static func keptTime(
        _ recipe: AdjustmentData, ofDuration duration: Double
    ) throws -> KeptTime? { nil }
}

/// The part of a video that an edit keeps. A frame is kept where the middle of the time for which it is
/// shown is; frames that are not come to nobody, and the first that is begins the video for later edits.
public struct KeptTime: Equatable, Sendable {
    /// The first moment that is kept, in seconds from the video's beginning, at least 0.
    public var start: Double
    /// The first that is not kept any more, in seconds, after ``start``.
    public var end: Double
    /// Whether the frames stay as they are, so that they need not be processed.
    public var leavesFrames: Bool

    /// Makes a part; every argument is the property of its name.
    public init(start: Double, end: Double, leavesFrames: Bool = false) {
        self.start = start
        self.end = end
        self.leavesFrames = leavesFrames
    }
}

/// A frame of a video. To be used until `processFrame` returns, on its thread.
public struct VideoFrame {
    /// The frame, as the images of `ContentEditingInput` are: upright, square pixels, in sRGB. It can
    /// be read in any order.
    public let image: Image
    /// When it is shown, in seconds from the video's beginning.
    public let time: Double
    /// How long the whole video lasts, in seconds.
    public let duration: Double
    /// The same as ``time``, exactly, in units of 1 / ``timescale`` seconds.
    public let timeValue: Int64
    /// Units a second of ``timeValue``, at least 1.
    public let timescale: Int64
    /// The frame's width relative to the video's true one: whatever a recipe holds in pixels is
    /// multiplied by it.
    public let scale: Double
    /// The width of the video's true frames at this edit, in pixels.
    public let fullWidth: Int
    /// Their height, in pixels.
    public let fullHeight: Int

    /// Makes a frame, for calling a controller without a host.
    public init(
        image: Image, timeValue: Int64 = 0, timescale: Int64 = 1, duration: Double = 0,
        scale: Double = 1
    ) {
        self.image = image
        self.timeValue = timeValue
        self.timescale = max(1, timescale)
        time = Double(timeValue) / Double(max(1, timescale))
        self.duration = duration
        self.scale = scale
        fullWidth = Int((Double(image.width) / scale).rounded())
        fullHeight = Int((Double(image.height) / scale).rounded())
    }

    /// What the host says.
    init(_ pointer: UnsafePointer<ee_frame>?) throws(EditingExtensionError) {
        guard let pointer,
            let frame = growingStructure(
                at: UnsafeRawPointer(pointer), as: ee_frame.self, minimum: Int(EE_FRAME_SIZE_1_1)),
            let image = frame.image
        else {
            throw EditingExtensionError(code: .failed, message: "no frame, or a short one")
        }
        self.image = Image(retaining: image)
        timescale = max(1, frame.timescale)
        timeValue = frame.time
        time = Double(frame.time) / Double(timescale)
        duration = Double(frame.duration) / Double(timescale)
        scale = frame.scale
        fullWidth = Int(frame.full_width)
        fullHeight = Int(frame.full_height)
    }
}
