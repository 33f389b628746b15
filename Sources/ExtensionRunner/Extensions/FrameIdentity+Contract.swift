// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

extension FrameIdentity {
    /// The number of time units per second in the C contract.
    var contractTimescale: Int64 { Int64(max(1, timing.denominator)) }

    /// The presentation time, relative to the start of the video, which may lie after the first frame.
    var contractTime: Int64 {
        units(from: timing.start, to: max(timing.start, time.timestamp))
    }

    /// The duration of the whole video.
    var contractDuration: Int64 { units(from: 0, to: timing.duration) }

    /// Converts a time of the C contract to units of the file; `nil` if it is outside the video.
    func time(ofContract time: Int64) -> FrameTime? {
        let unit = Int64(max(1, timing.numerator))
        let end = contractDuration
        guard time >= 0, end == 0 || time < end else { return nil }
        let (units, rest) = time.quotientAndRemainder(dividingBy: unit)
        let (timestamp, isTooFar) = timing.start.addingReportingOverflow(
            rest * 2 >= unit ? units + 1 : units)
        return isTooFar ? nil : FrameTime(timestamp: timestamp)
    }

    /// Returns the time of the still in units of the contract; `nil` if it is unknown or outside the video.
    func contractTime(of livePhoto: LivePhotoVideo) -> Int64? {
        guard let seconds = livePhoto.stillTime else { return nil }
        // The times in a file are untrusted.
        let before = (Double(timing.start) - Double(livePhoto.start)) * Double(timing.numerator)
        let time = (seconds * Double(contractTimescale) - before).rounded()
        guard time >= 0, let time = Int64(exactly: time), time <= contractDuration else {
            return nil
        }
        return time
    }

    /// Converts a time difference. The numbers of a file are untrusted: the result is 0 on overflow.
    private func units(from start: Int64, to end: Int64) -> Int64 {
        let (difference, isTooFar) = end.subtractingReportingOverflow(start)
        let (units, isTooLong) = difference.multipliedReportingOverflow(
            by: Int64(max(1, timing.numerator)))
        return isTooFar || isTooLong ? 0 : units
    }
}
