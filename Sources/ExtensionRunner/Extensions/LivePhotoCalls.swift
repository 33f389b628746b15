// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import RunnerProtocol

/// The function of an extension that announces the video of a Live Photo. Decision 29: a separate call, to leave
/// `ee_input` unchanged.
///
/// `@unchecked Sendable` is safe: a function pointer into a library that is never unloaded.
struct LivePhotoCalls: @unchecked Sendable {
    private let table: ee_live_photo_editing

    /// - Throws: `Unusable` if the structure is too small or the function is missing.
    init(_ capability: UnsafeRawPointer) throws(EditingCalls.Unusable) {
        let minimum = Int(EE_LIVE_PHOTO_EDITING_SIZE_1_1)
        guard
            let table = growingStructure(
                at: capability, as: ee_live_photo_editing.self, minimum: minimum)
        else {
            let size = capability.loadUnaligned(as: UInt32.self)
            throw EditingCalls.Unusable(
                reason: "has a struct_size of \(size), less than the \(minimum) of 1.1")
        }
        guard table.begin_video != nil else {
            throw EditingCalls.Unusable(reason: "has no function begin_video")
        }
        self.table = table
    }

    /// - Parameter first: The first frame of the video.
    func beginVideo(
        _ controller: OpaquePointer, _ livePhoto: LivePhotoVideo, _ first: FrameIdentity,
        _ error: UnsafeMutablePointer<ee_error>
    ) -> ee_status {
        var structure = ee_live_photo()
        structure.struct_size = UInt32(MemoryLayout<ee_live_photo>.size)
        structure.timescale = first.contractTimescale
        structure.duration = first.contractDuration
        structure.still_time = first.contractTime(of: livePhoto) ?? -1
        return table.begin_video?(controller, &structure, error) ?? ee_status(EE_UNSUPPORTED)
    }
}
