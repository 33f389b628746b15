// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

/// A controller that tells the video of a Live Photo from its still. It is a ``FrameProcessingController`` or a
/// ``VideoEditingController`` too; those that are that alone edit Live Photos as well, and do not learn of it.
public protocol LivePhotoEditingController: ContentEditingController {
    /// The frames that come are those of a Live Photo's video. Called after `startContentEditing`, before the first of
    /// them; not for the still.
    func beginVideo(of livePhoto: EditedLivePhoto) throws
}

/// The Live Photo whose video is edited.
public struct EditedLivePhoto: Equatable, Sendable {
    /// When the still was taken, in seconds from the beginning of the video; nil: not known, or cut away.
    public let stillTime: Double?
    /// How long the video lasts, in seconds.
    public let duration: Double

    /// Makes one, for calling a controller without a host.
    public init(stillTime: Double?, duration: Double) {
        self.stillTime = stillTime
        self.duration = duration
    }

    /// What the host says.
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
