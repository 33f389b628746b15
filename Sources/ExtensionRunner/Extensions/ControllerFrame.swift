// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import RunnerProtocol
import Vips

/// A video frame for one controller, `ee_frame` in the C contract.
struct ControllerFrame {
    /// The pixels of the frame, in a layout that the extension accepts.
    let image: Image
    /// The presentation time of the frame.
    let moment: FrameIdentity
    /// The width of the image relative to the video.
    let scale: Double

    /// Calls the body with the C structure, valid during the call.
    func withC<Result>(
        _ body: (UnsafePointer<ee_frame>) throws -> Result
    ) rethrows -> Result {
        var frame = ee_frame()
        frame.struct_size = UInt32(MemoryLayout<ee_frame>.size)
        frame.timescale = moment.contractTimescale
        frame.time = moment.contractTime
        frame.duration = moment.contractDuration
        frame.scale = scale
        frame.full_width = UInt32(clamping: Int((Double(image.width) / scale).rounded()))
        frame.full_height = UInt32(clamping: Int((Double(image.height) / scale).rounded()))
        frame.image = image.pointer
        return try withExtendedLifetime(image) { try withUnsafePointer(to: frame, body) }
    }
}
