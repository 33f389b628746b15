// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Vips

/// The host's optional capability `ee_video_reading`.
///
/// `@unchecked Sendable` is safe: it holds function pointers of the host, which may be called on any thread.
struct HostVideo: @unchecked Sendable {
    let reading: ee_video_reading

    func frame(_ input: UnsafePointer<ee_input>, at time: Double) throws -> VideoFrame {
        var frame = ee_frame()
        frame.struct_size = UInt32(MemoryLayout<ee_frame>.size)
        var next = Double.nan
        var error = ee_error()
        let status = reading.frame(input, time, &frame, &next, &error)
        if let error = EditingExtensionError(status: status, error) { throw error }
        // `VideoFrame` retains the image, so the reference that the host transferred is released.
        defer { frame.image.map { _ = Image(taking: $0) } }
        return try VideoFrame(&frame, nextTime: next.isNaN ? nil : next)
    }

    func readSound(
        _ input: UnsafePointer<ee_input>, from first: Int64, count: Int,
        to samples: UnsafeMutablePointer<Float>
    ) throws {
        var error = ee_error()
        let status = reading.sound(input, first, count, samples, &error)
        if let error = EditingExtensionError(status: status, error) { throw error }
    }
}
