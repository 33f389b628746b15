// SPDX-License-Identifier: Apache-2.0

/// One picture of a Live Photo that is edited: its still, or a frame of its video.
public struct LivePhotoFrame: Sendable {
    /// Which of both.
    public enum FrameType: Sendable {
        /// The still.
        case photo
        /// A frame of the video.
        case video
    }

    /// The pixels, upright: of the video 8 bits in sRGB; of the still 8 or 16 bits in the photograph's own RGB
    /// profile.
    public let image: AssetImage
    /// When it is shown, in seconds from the beginning of the video; of the still the moment that it was taken,
    /// 0 where the files do not say.
    public let time: Double
    /// Which picture it is.
    public let type: FrameType
    /// How large it is relative to the still at full size: what is measured in pixels, such as a radius, is
    /// multiplied by that.
    public let renderScale: Double
}

/// Gives what becomes of a frame: an image of the same pixel format and profile. That of a frame may have another
/// size, the same for every frame of the video. Nil, or an error, ends the work.
///
/// Called on any thread, one call after the other: for the still, then for each frame in the order of time.
public typealias LivePhotoFrameProcessor = @Sendable (LivePhotoFrame) throws -> AssetImage?
