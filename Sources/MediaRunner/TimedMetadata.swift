// SPDX-License-Identifier: Apache-2.0

import FileAccess
import ImageMetadata
import RunnerProtocol

/// The timed metadata of a QuickTime file, which is copied to a file rendered from it.
///
/// Most important is the time of a Live Photo's still image. FFmpeg copies the samples without the keys that
/// give them meaning.
struct TimedMetadata {
    let source: OpenFile
    /// The rendered QuickTime file, which must be complete before ``keep()``.
    let output: OpenFile
    let timing: FrameTiming
    /// The start of the kept part; `nil` if the whole video is kept.
    let partStart: Int64?
    private var last: FrameTime?
    private var lastStep: Int64 = 1

    init(source: OpenFile, output: OpenFile, timing: FrameTiming, partStart: Int64?) {
        self.source = source
        self.output = output
        self.timing = timing
        self.partStart = partStart
    }

    /// Records the presentation time of a kept frame.
    mutating func add(_ time: FrameTime) {
        if let last { lastStep = max(1, time.timestamp &- last.timestamp) }
        last = time
    }

    /// Copies the metadata to the output. Damaged metadata is omitted.
    ///
    /// - Returns: Warnings for the user.
    /// - Throws: `diskFull`, `outputFailed`, or `badInput` if the source cannot be read.
    func copy() throws(RunnerFailure) -> [String] {
        do throws(MovieError) {
            return try TimedMetadataCopier.copy(from: source, into: output, keeping: part())
                .warnings
        } catch {
            switch error.code {
            case .notAMovie: return []
            case .damaged, .tooLarge, .unsupported:
                return ["its timed metadata is omitted: \(error.message)"]
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
