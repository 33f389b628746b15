// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

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
            let structure = growingStructure(
                at: UnsafeRawPointer(pointer), as: ee_live_photo.self,
                minimum: Int(EE_LIVE_PHOTO_SIZE_1_1))
        else {
            throw EditingExtensionError(code: .failed, message: "no Live Photo, or a short one")
        }
        let scale = Double(max(1, structure.timescale))
        stillTime = structure.still_time < 0 ? nil : Double(structure.still_time) / scale
        duration = Double(structure.duration) / scale
    }
}
