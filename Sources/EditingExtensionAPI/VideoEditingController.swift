// SPDX-License-Identifier: Apache-2.0

/// A controller that produces the frames of videos itself, from several frames or at other times. Examples are
/// temporal noise reduction, slow motion and time-lapse. The duration of the video and its sound do not change. The
/// manifest's `supportedMediaTypes` must contain `"video"`.
///
/// As with ``FrameProcessingController``, the controller of the editing session returns a recipe and no image.
/// Another controller renders the video, with these calls:
///
/// 1. `startContentEditing` with the recipe.
/// 2. ``putFrame(_:)`` for each frame in order of time, followed by ``takeFrame()`` until it returns nil.
/// 3. ``putFrame(_:)`` with nil, followed by ``takeFrame()`` until it returns nil.
/// 4. `finishContentEditing`, whose output is ignored.
///
/// If a controller conforms to both protocols, ``FrameProcessingController`` processes the single frames that
/// previews of later edits need.
public protocol VideoEditingController: ContentEditingController {
    /// Receives the next frame; nil means that there are no more frames. The pixels of a frame are valid until the next
    /// call; use `copiedToMemory()` to keep them.
    func putFrame(_ frame: VideoFrame?) throws

    /// Returns the next frame of the edited video; nil if none is ready until another frame is put.
    func takeFrame() throws -> GeneratedVideoFrame?
}
