// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import Vips

/// The functions of an extension that generates video frames.
///
/// `@unchecked Sendable` is safe: function pointers into a library that is never unloaded.
struct VideoCalls: @unchecked Sendable {
    private let table: ee_video_editing

    /// - Throws: `Unusable` if the structure is too small or a function is missing.
    init(_ capability: UnsafeRawPointer) throws(EditingCalls.Unusable) {
        let minimum = Int(EE_VIDEO_EDITING_SIZE_1_1)
        guard
            let table = growingStructure(
                at: capability, as: ee_video_editing.self, minimum: minimum)
        else {
            let size = capability.loadUnaligned(as: UInt32.self)
            throw EditingCalls.Unusable(
                reason: "has a struct_size of \(size), less than the \(minimum) of 1.1")
        }
        let members = [
            ("put_frame", table.put_frame != nil), ("take_frame", table.take_frame != nil),
        ]
        if let name = members.first(where: { !$0.1 })?.0 {
            throw EditingCalls.Unusable(reason: "has no function \(name)")
        }
        self.table = table
    }

    /// - Parameter frame: The next frame; `nil` after the last one.
    func putFrame(
        _ controller: OpaquePointer, _ frame: UnsafePointer<ee_frame>?,
        _ error: UnsafeMutablePointer<ee_error>
    ) -> ee_status { table.put_frame?(controller, frame, error) ?? ee_status(EE_UNSUPPORTED) }

    /// Returns the next generated frame; `nil` if the extension returned none.
    func takeFrame(
        _ controller: OpaquePointer, _ error: UnsafeMutablePointer<ee_error>
    ) -> (ee_status, GeneratedFrame?) {
        guard let call = table.take_frame else { return (ee_status(EE_UNSUPPORTED), nil) }
        var frame = ee_made_frame()
        frame.struct_size = UInt32(MemoryLayout<ee_made_frame>.size)
        let status = call(controller, &frame, error)
        return (
            status, frame.image.map { GeneratedFrame(image: Image(taking: $0), time: frame.time) }
        )
    }
}
