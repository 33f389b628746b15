// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

/// Validates the presentation times of generated video frames.
struct GeneratedFrameTimes {
    /// The first input frame.
    private let first: FrameIdentity
    /// The last generated frame.
    private var last: (contract: Int64, time: FrameTime)?

    init(_ first: FrameIdentity) { self.first = first }

    /// Returns the presentation time of the next generated frame.
    ///
    /// - Parameter time: The time in units of the contract.
    /// - Returns: `nil` if the time is outside the video, or less than a millisecond after the last one.
    mutating func next(_ time: Int64) -> FrameTime? {
        guard var frame = first.time(ofContract: time) else { return nil }
        if let last {
            let (step, isTooFar) = time.subtractingReportingOverflow(last.contract)
            guard !isTooFar, frame.timestamp > last.time.timestamp,
                Double(step) * 1000 >= Double(first.contractTimescale)
            else { return nil }
        } else {
            // The edited video starts with this frame. The first frame of a range may be shown only after the range has
            // started.
            frame = FrameTime(timestamp: min(first.time.timestamp, frame.timestamp))
        }
        last = (time, frame)
        return frame
    }
}
