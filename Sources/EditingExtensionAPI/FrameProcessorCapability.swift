// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// The capability `ee_frame_processor`, which processes video frames.
///
/// `@unchecked Sendable` is safe: the memory pointed to is never changed and never freed.
struct FrameProcessorCapability: @unchecked Sendable {
    static let shared = FrameProcessorCapability()

    let table: UnsafePointer<ee_frame_processor>

    private init() {
        var table = ee_frame_processor()
        table.struct_size = UInt32(MemoryLayout<ee_frame_processor>.size)
        table.process_frame = processFrame
        self.table = Registration.permanent(table)
    }
}

/// Implements `ee_frame_processor.process_frame`.
private nonisolated func processFrame(
    _ controller: OpaquePointer?, _ frame: UnsafePointer<ee_frame>?,
    _ image: UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    answer(controller, error) { box in
        guard let processor = box.controller as? any FrameProcessingController else {
            throw EditingExtensionError(code: .unsupported, message: "it does not edit videos")
        }
        image?.pointee = try processor.processFrame(VideoFrame(frame)).passRetained()
    }
}
