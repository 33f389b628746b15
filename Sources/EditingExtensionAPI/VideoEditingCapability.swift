// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// The capability `ee_video_editing`, which edits whole videos.
///
/// `@unchecked Sendable` is safe: the memory pointed to is never changed and never freed.
struct VideoEditingCapability: @unchecked Sendable {
    static let shared = VideoEditingCapability()

    let table: UnsafePointer<ee_video_editing>

    private init() {
        var table = ee_video_editing()
        table.struct_size = UInt32(MemoryLayout<ee_video_editing>.size)
        table.put_frame = putFrame
        table.take_frame = takeFrame
        self.table = Registration.permanent(table)
    }
}

private nonisolated func editor(
    _ box: ContractController
) throws(EditingExtensionError) -> any VideoEditingController {
    guard let editor = box.controller as? any VideoEditingController else {
        throw EditingExtensionError(code: .unsupported, message: "it makes no frames of its own")
    }
    return editor
}

/// Implements `ee_video_editing.put_frame`.
private nonisolated func putFrame(
    _ controller: OpaquePointer?, _ frame: UnsafePointer<ee_frame>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    answer(controller, error) { box in
        try editor(box).putFrame(frame.map { frame throws in try VideoFrame(frame) })
    }
}

/// Implements `ee_video_editing.take_frame`.
private nonisolated func takeFrame(
    _ controller: OpaquePointer?, _ frame: UnsafeMutablePointer<ee_made_frame>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    answer(controller, error) { box in
        guard let frame, frame.pointee.struct_size >= UInt32(EE_MADE_FRAME_SIZE_1_1) else {
            throw EditingExtensionError(code: .failed, message: "no room for a frame")
        }
        guard let made = try editor(box).takeFrame() else { return }
        frame.pointee.time = made.timeValue
        frame.pointee.image = made.image.passRetained()
    }
}
