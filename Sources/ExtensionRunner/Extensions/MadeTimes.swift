// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

/// When the frames are shown that an extension makes for a video.
struct MadeTimes {
    /// The first frame that it got.
    private let first: FrameMoment
    /// The last frame that it gave.
    private var last: (contract: Int64, time: FrameTime)?

    init(_ first: FrameMoment) { self.first = first }

    /// - Parameter time: as the contract counts.
    /// - Returns: nil where the time is not within the video, or less than a millisecond after the last one.
    mutating func next(_ time: Int64) -> FrameTime? {
        guard var frame = first.time(ofContract: time) else { return nil }
        if let last {
            let (step, isTooFar) = time.subtractingReportingOverflow(last.contract)
            guard !isTooFar, frame.timestamp > last.time.timestamp,
                Double(step) * 1000 >= Double(first.contractTimescale)
            else { return nil }
        } else {
            // The edited video begins with it, and the first frame of a part may lie behind the part's beginning.
            frame = FrameTime(timestamp: min(first.time.timestamp, frame.timestamp))
        }
        last = (time, frame)
        return frame
    }
}
