// SPDX-License-Identifier: Apache-2.0

import FileAccess
import QuickTimeFile
import RunnerProtocol

/// The timed metadata of a QuickTime file, which is brought into the one that was rendered from it: the instant of
/// a Live Photo's still above all. FFmpeg reads its samples, and forgets what they mean.
struct TimedMetadata {
    let source: OpenFile
    /// A QuickTime file, which is complete when this is asked to keep anything.
    let output: OpenFile
    let timing: FrameTiming
    /// When the part begins that is kept; nil: all of it is.
    let partStart: Int64?
    private var last: FrameTime?
    private var lastStep: Int64 = 1

    init(source: OpenFile, output: OpenFile, timing: FrameTiming, partStart: Int64?) {
        self.source = source
        self.output = output
        self.timing = timing
        self.partStart = partStart
    }

    /// Notes when a frame is shown that is kept.
    mutating func add(_ time: FrameTime) {
        if let last { lastStep = max(1, time.timestamp &- last.timestamp) }
        last = time
    }

    /// Brings it into the output. What is damaged is left out.
    ///
    /// - Returns: what the user should know.
    /// - Throws: `diskFull`, `outputFailed`, `badInput` where the source cannot be read.
    func keep() throws(RunnerFailure) -> [String] {
        do throws(MovieError) {
            return try TimedMetadataGraft.graft(from: source, into: output, keeping: part())
                .warnings
        } catch {
            switch error.code {
            case .notAMovie: return []
            case .damaged, .tooLarge, .unsupported:
                return ["its timed metadata is left out: \(error.message)"]
            case .diskFull: throw RunnerFailure(code: .diskFull, message: error.message)
            case .writeFailed: throw RunnerFailure(code: .outputFailed, message: error.message)
            case .readFailed: throw RunnerFailure(code: .badInput, message: error.message)
            }
        }
    }

    private func part() throws(MovieError) -> MoviePart? {
        guard let partStart, let last else { return nil }
        let step = last.duration > 0 ? last.duration : lastStep
        let length = last.timestamp.subtractingReportingOverflow(partStart)
        let end = length.partialValue.addingReportingOverflow(step)
        guard !length.overflow, !end.overflow, let start = time(partStart),
            let duration = time(end.partialValue)
        else {
            throw MovieError(.unsupported, "the times of its frames are out of range")
        }
        return MoviePart(start: start, duration: duration)
    }

    private func time(_ units: Int64) -> RationalTime? {
        let (value, overflow) = units.multipliedReportingOverflow(by: Int64(timing.numerator))
        return overflow
            ? nil : RationalTime(value: value, timescale: Int64(timing.denominator))
    }
}
