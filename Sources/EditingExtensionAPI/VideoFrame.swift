// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import Vips

/// A frame of a video. A frame passed to a controller is valid until that call returns, on the calling thread. A frame
/// of ``InputVideo`` is valid as long as its image.
public struct VideoFrame {
    /// The frame, in the format of the images of `ContentEditingInput`: upright, with square pixels, in sRGB. It
    /// can be read in any order.
    public let image: Image
    /// The presentation time in seconds from the start of the video.
    public let time: Double
    /// The time of the following frame in seconds, for frames of ``InputVideo``. Nil for the last frame, and for frames
    /// passed to a controller.
    public let nextTime: Double?
    /// The duration of the whole video in seconds.
    public let duration: Double
    /// The exact value of ``time``, in units of 1 / ``timescale`` seconds.
    public let timeValue: Int64
    /// The number of units of ``timeValue`` per second, at least 1.
    public let timescale: Int64
    /// The frame's width divided by the width that the recipe was made for: that of the video, or of the still of a
    /// Live Photo. Greater than 0, at most 1. Multiply lengths in pixels in the recipe by it.
    public let scale: Double
    /// The actual width in pixels of the video's frames before this edit.
    public let fullWidth: Int
    /// The actual height in pixels of the video's frames before this edit.
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
        nextTime = nil
        self.duration = duration
        self.scale = scale
        fullWidth = Int((Double(image.width) / scale).rounded())
        fullHeight = Int((Double(image.height) / scale).rounded())
    }

    /// Copies the host's structure.
    init(
        _ pointer: UnsafePointer<ee_frame>?, nextTime: Double? = nil
    ) throws(EditingExtensionError) {
        guard let pointer,
            let frame = growingStructure(
                at: UnsafeRawPointer(pointer), as: ee_frame.self, minimum: Int(EE_FRAME_SIZE_1_1)),
            let image = frame.image
        else {
            throw EditingExtensionError(code: .failed, message: "no frame, or a short one")
        }
        self.image = Image(retaining: image)
        self.nextTime = nextTime
        timescale = max(1, frame.timescale)
        timeValue = frame.time
        time = Double(frame.time) / Double(timescale)
        duration = Double(frame.duration) / Double(timescale)
        scale = frame.scale
        fullWidth = Int(frame.full_width)
        fullHeight = Int(frame.full_height)
    }
}
