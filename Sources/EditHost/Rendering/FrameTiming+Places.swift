// SPDX-License-Identifier: Apache-2.0

import RunnerProtocol

extension FrameTiming {
    /// Returns the position of a frame relative to this part, by the middle of its display time.
    func place(of frame: FrameTime) -> Place {
        // Times in a file are untrusted, and its length may be unknown.
        let middle = Double(frame.timestamp) + Double(frame.duration) / 2
        if middle < Double(start) { return .before }
        return middle < Double(start) + Double(duration) ? .inside : .after
    }

    /// A position relative to a part of a video.
    enum Place {
        case before, inside, after
    }

    /// Whether a part uses the same units and is within this one.
    func contains(_ part: FrameTiming) -> Bool {
        let (ends, partEnds) = (
            Double(start) + Double(duration), Double(part.start) + Double(part.duration)
        )
        return part.numerator == numerator && part.denominator == denominator
            && part.start >= start && part.duration >= 0 && partEnds <= ends + 1
    }
}
