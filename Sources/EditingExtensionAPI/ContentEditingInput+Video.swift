// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// The video of the input. All members may be used on any thread.
///
/// The video is available only in editing sessions. Controllers that render a recipe get its frames through
/// ``FrameProcessingController`` or ``VideoEditingController``, so the recipe must contain everything that the session
/// has learned from the video.
extension ContentEditingInput {
    /// The video that the edit starts from. Nil if the asset is not a video, if the controller renders a recipe, or if
    /// the host does not support reading videos.
    ///
    /// The host opens it on first access. If it is the result of edits and is not stored, the host renders it first.
    ///
    /// - Throws: `EditingExtensionError` if the video cannot be opened.
    public var audiovisualAsset: InputVideo? {
        get throws { mediaType == .video ? try describedVideo?.video : nil }
    }

    /// The Live Photo that the edit starts from. Nil if the asset is not a Live Photo or has lost its motion, if the
    /// controller renders a recipe, or if the host does not support reading videos.
    ///
    /// - Throws: `EditingExtensionError` if its video cannot be opened.
    public var livePhoto: InputLivePhoto? {
        get throws {
            guard mediaType == .image, mediaSubtypes.contains(.photoLive),
                let (video, photoTime) = try describedVideo
            else { return nil }
            return InputLivePhoto(input: self, video: video, photoTime: photoTime)
        }
    }

    /// The video, and the time of the still in it in seconds; nil if the host provides no video.
    private var describedVideo: (video: InputVideo, photoTime: Double?)? {
        get throws {
            guard
                let reading = Registration.capability(
                    EE_CAPABILITY_VIDEO, as: ee_video_reading.self,
                    minimum: Int(EE_VIDEO_READING_SIZE_1_1))
            else { return nil }
            var video = ee_video()
            video.struct_size = UInt32(MemoryLayout<ee_video>.size)
            let status = try withInput { input in
                var error = ee_error()
                let status = reading.describe(input, &video, &error)
                if status == EE_UNSUPPORTED { return status }
                if let error = EditingExtensionError(status: status, error) { throw error }
                return status
            }
            guard status == EE_OK else { return nil }
            let scale = Double(max(1, video.timescale))
            let photoTime = video.still_time < 0 ? nil : Double(video.still_time) / scale
            return (InputVideo(of: self, video, reading), photoTime)
        }
    }
}
