// SPDX-License-Identifier: Apache-2.0

import Vips

/// A controller that makes the frames of videos itself: of several at once, or at times of its own, such as
/// a filter against noise, slow motion or a time-lapse. The length of the video and its sound stay. The manifest's
/// `supportedMediaTypes` has `"video"` then.
///
/// As with ``FrameProcessingController``, the controller that a video is edited with gives a recipe and no image, and
/// another one renders the video: `startContentEditing` with the recipe, ``putFrame(_:)`` for each frame in the order of
/// time and ``takeFrame()`` after each until it gives none, ``putFrame(_:)`` with nil and ``takeFrame()`` again, and
/// `finishContentEditing`, whose output is not used. Whoever conforms to both protocols processes single frames, which a
/// preview of a later edit needs, by the other one.
public protocol VideoEditingController: ContentEditingController {
    /// Gets the next frame; nil: there are no more. Its pixels go before the next call: `copiedToMemory()` keeps them.
    func putFrame(_ frame: VideoFrame?) throws

    /// Gives the next frame of the edited video; nil: there is none until another was put.
    func takeFrame() throws -> MadeVideoFrame?
}

/// A frame that an edit makes for a video.
public struct MadeVideoFrame {
    /// The frame, of the same size as all others. It is read once, before the next call.
    public var image: Image
    /// When it is shown, from the video's beginning, in units of 1 / `timescale` seconds of ``VideoFrame``: within the video,
    /// and a millisecond or more after the one before. The first is shown from the beginning, whatever its time; each
    /// until the next one is, the last until the video ends.
    public var timeValue: Int64

    /// Makes a frame; both arguments are the properties of their names.
    public init(image: Image, timeValue: Int64) {
        self.image = image
        self.timeValue = timeValue
    }
}
