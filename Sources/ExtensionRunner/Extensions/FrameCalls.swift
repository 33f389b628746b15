// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import Vips

/// The function of an extension that processes video frames.
///
/// `@unchecked Sendable` is safe: a function pointer into a library that is never unloaded.
struct FrameCalls: @unchecked Sendable {
    private let table: ee_frame_processor

    /// - Throws: `Unusable` if the structure is too small or the function is missing.
    init(_ capability: UnsafeRawPointer) throws(EditingCalls.Unusable) {
        let minimum = Int(EE_FRAME_PROCESSOR_SIZE_1_1)
        guard
            let table = growingStructure(
                at: capability, as: ee_frame_processor.self, minimum: minimum)
        else {
            let size = capability.loadUnaligned(as: UInt32.self)
            throw EditingCalls.Unusable(
                reason: "has a struct_size of \(size), less than the \(minimum) of 1.1")
        }
        guard table.process_frame != nil else {
            throw EditingCalls.Unusable(reason: "has no function process_frame")
        }
        self.table = table
    }

    /// Processes a frame. The image is `nil` if the extension returned none.
    func processFrame(
        _ controller: OpaquePointer, _ frame: UnsafePointer<ee_frame>,
        _ error: UnsafeMutablePointer<ee_error>
    ) -> (ee_status, Image?) {
        guard let call = table.process_frame else { return (ee_status(EE_UNSUPPORTED), nil) }
        var image = Image?.none?.pointer
        let status = call(controller, frame, &image, error)
        return (status, image.map { Image(taking: $0) })
    }
}
