// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

/// A controller that treats the video of a Live Photo differently from its still. It also conforms to
/// ``FrameProcessingController`` or ``VideoEditingController``.
///
/// Controllers that conform only to one of those edit Live Photos as well, but cannot distinguish them from other
/// videos.
public protocol LivePhotoEditingController: ContentEditingController {
    /// Announces that the following frames belong to a Live Photo's video. Called after `startContentEditing` and
    /// before the first frame; not called for the still.
    func beginVideo(of livePhoto: EditedLivePhoto) throws
}

/// The timing of a Live Photo whose video is edited.
public struct EditedLivePhoto: Equatable, Sendable {
    /// The capture time of the still, in seconds from the start of the video. Nil if unknown, or if that part was
    /// trimmed.
    public let stillTime: Double?
    /// The duration of the video in seconds.
    public let duration: Double

    /// Creates a value for calling a controller without a host.
    public init(stillTime: Double?, duration: Double) {
        self.stillTime = stillTime
        self.duration = duration
    }

    /// Copies the host's structure.
    init(_ pointer: UnsafePointer<ee_live_photo>?) throws(EditingExtensionError) {
        guard let pointer,
            let told = growingStructure(
                at: UnsafeRawPointer(pointer), as: ee_live_photo.self,
                minimum: Int(EE_LIVE_PHOTO_SIZE_1_1))
        else {
            throw EditingExtensionError(code: .failed, message: "no Live Photo, or a short one")
        }
        let scale = Double(max(1, told.timescale))
        stillTime = told.still_time < 0 ? nil : Double(told.still_time) / scale
        duration = Double(told.duration) / scale
    }
}
