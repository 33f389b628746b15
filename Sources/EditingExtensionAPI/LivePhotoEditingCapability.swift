// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// The capability `ee_live_photo_editing`, which announces the video of a Live Photo.
///
/// `@unchecked Sendable` is safe: the memory pointed to is never changed and never freed.
struct LivePhotoEditingCapability: @unchecked Sendable {
    static let shared = LivePhotoEditingCapability()

    let table: UnsafePointer<ee_live_photo_editing>

    private init() {
        var table = ee_live_photo_editing()
        table.struct_size = UInt32(MemoryLayout<ee_live_photo_editing>.size)
        table.begin_video = beginVideo
        self.table = Registration.permanent(table)
    }
}

/// Implements `ee_live_photo_editing.begin_video`.
private nonisolated func beginVideo(
    _ controller: OpaquePointer?, _ livePhoto: UnsafePointer<ee_live_photo>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    answer(controller, error) { box in
        guard let editor = box.controller as? any LivePhotoEditingController else {
            throw EditingExtensionError(
                code: .unsupported, message: "it does not edit Live Photos")
        }
        try editor.beginVideo(of: EditedLivePhoto(livePhoto))
    }
}
