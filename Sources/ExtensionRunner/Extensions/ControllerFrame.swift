// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import RunnerProtocol
import Vips

/// A frame of a video as one controller gets it, by the C contract `ee_frame`.
struct ControllerFrame {
    /// The frame's pixels, in the layout that the extension wants.
    let image: Image
    /// When it is shown.
    let moment: FrameMoment
    /// Its width relative to the video's true one.
    let scale: Double

    /// Lends the frame in the form of the C contract.
    func withC<Result>(_ body: (UnsafePointer<ee_frame>) -> Result) -> Result {
        var frame = ee_frame()
        frame.struct_size = UInt32(MemoryLayout<ee_frame>.size)
        frame.timescale = moment.contractTimescale
        frame.time = moment.contractTime
        frame.duration = moment.contractDuration
        frame.scale = scale
        frame.full_width = UInt32(clamping: Int((Double(image.width) / scale).rounded()))
        frame.full_height = UInt32(clamping: Int((Double(image.height) / scale).rounded()))
        frame.image = image.pointer
        return withExtendedLifetime(image) { withUnsafePointer(to: frame, body) }
    }
}

extension FrameMoment {
    /// Units a second of what an extension is told.
    var contractTimescale: Int64 { Int64(max(1, timing.denominator)) }

    /// When the frame is shown, from the video's beginning, which may lie a little after the first frame's.
    var contractTime: Int64 {
        units(from: timing.start, to: max(timing.start, time.timestamp))
    }

    /// How long the whole lasts.
    var contractDuration: Int64 { units(from: 0, to: timing.duration) }

    /// When a frame is shown that an extension gives a time, in units of the file; nil: not within the video.
    func time(ofContract time: Int64) -> FrameTime? {
        let unit = Int64(max(1, timing.numerator))
        let end = contractDuration
        guard time >= 0, end == 0 || time < end else { return nil }
        let (units, rest) = time.quotientAndRemainder(dividingBy: unit)
        let (timestamp, isTooFar) = timing.start.addingReportingOverflow(
            rest * 2 >= unit ? units + 1 : units)
        return isTooFar ? nil : FrameTime(timestamp: timestamp)
    }

    /// Numbers of a file may be anything: what does not fit is 0.
    private func units(from start: Int64, to end: Int64) -> Int64 {
        let (difference, isTooFar) = end.subtractingReportingOverflow(start)
        let (units, isTooLong) = difference.multipliedReportingOverflow(
            by: Int64(max(1, timing.numerator)))
        return isTooFar || isTooLong ? 0 : units
    }
}
