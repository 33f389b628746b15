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
    /// Returns the current edit applied to a frame: lazily, and in the same size for all frames. All of it is read
    /// before the next call. It may depend only on the recipe, the frame, its time and the frames before it.
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
    /// Returns nil: the whole video is kept.
    public static func keptTime(
        _ recipe: AdjustmentData, ofDuration duration: Double
    ) throws -> KeptTime? { nil }
}

/// The part of a video that an edit keeps. A frame is kept if the midpoint of its presentation interval lies within
/// the part.
///
/// Other frames are dropped, and for later edits the video begins with the first kept frame.
public struct KeptTime: Equatable, Sendable {
    /// The start of the kept part, in seconds from the start of the video, at least 0.
    public var start: Double
    /// The end of the kept part (exclusive), in seconds, after ``start``.
    public var end: Double
    /// Whether the kept frames are unchanged, so they need not be processed.
    public var leavesFrames: Bool

    /// Creates a part from its start and end in seconds.
    public init(start: Double, end: Double, leavesFrames: Bool = false) {
        self.start = start
        self.end = end
        self.leavesFrames = leavesFrames
    }
}

/// A frame of a video. Valid until `processFrame` returns, on the calling thread.
public struct VideoFrame {
    /// The frame, in the format of the images of `ContentEditingInput`: upright, with square pixels, in sRGB. It
    /// can be read in any order.
    public let image: Image
    /// The presentation time in seconds from the start of the video.
    public let time: Double
    /// The duration of the whole video in seconds.
    public let duration: Double
    /// The exact value of ``time``, in units of 1 / ``timescale`` seconds.
    public let timeValue: Int64
    /// The number of units of ``timeValue`` per second, at least 1.
    public let timescale: Int64
    /// The frame's width relative to the video's true width. Multiply pixel values of a recipe by it.
    public let scale: Double
    /// The width in pixels of the video's true frames at this edit.
    public let fullWidth: Int
    /// The height in pixels of the video's true frames at this edit.
    public let fullHeight: Int

    /// Creates a frame for calling a controller without a host.
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

    /// Copies the host's structure.
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
