// SPDX-License-Identifier: Apache-2.0

/// A picture of a Live Photo that is being edited: its still, or a frame of its video.
public struct LivePhotoFrame: Sendable {
    /// The kind of a frame.
    public enum FrameType: Sendable {
        /// The still.
        case photo
        /// A frame of the video.
        case video
    }

    /// The upright pixels: for the video, 8 bits in sRGB; for the still, 8 or 16 bits in the photo's own RGB
    /// profile.
    public let image: AssetImage
    /// The presentation time, in seconds from the beginning of the video. For the still, the time at which it was
    /// taken, or 0 if the files do not contain it.
    public let time: Double
    /// The kind of the frame: the still, or a frame of the video.
    public let type: FrameType
    /// The scale relative to the still at full size. Multiply lengths in pixels, such as a radius,
    /// by it.
    public let renderScale: Double
}

/// Returns the edited frame: an image with the same pixel format and profile. Video frames may change their
/// size, but to the same size for every frame. Nil, or an error, ends the work.
///
/// Called serially, on any thread: for the still, then for each frame in the order of time.
public typealias LivePhotoFrameProcessor = @Sendable (LivePhotoFrame) throws -> AssetImage?
