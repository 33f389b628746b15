// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import FileAccess
import RunnerProtocol
import RunnerSupport

/// Copies a video, or whole groups of its pictures, without decoding it.
enum VideoCopy {
    /// - Returns: nil where it would have to be encoded.
    /// - Throws: `badInput`, `outputFailed`, `diskFull`.
    static func run(
        _ copying: VideoCopying, _ incoming: Incoming
    ) throws(RunnerFailure) -> CopiedVideo? {
        let (source, output) = (
            try incoming.descriptor(.base), try incoming.descriptor(.videoOutput)
        )
        // It says how its times count.
        let timing = try VideoReader(source, threads: 1).timing(from: 0)
        var part = cmedia_copying()
        if let wanted = copying.part {
            let (end, overflow) = wanted.start.addingReportingOverflow(wanted.duration)
            guard !overflow, wanted.numerator == timing.numerator,
                wanted.denominator == timing.denominator
            else { return nil }
            part.is_part = true
            part.part_start = wanted.start
            part.part_end = end
        }
        var (error, written) = (cmedia_error(), cmedia_written())
        let status = try copying.format.muxer.withCString { container in
            part.container = container
            return cmedia_copy(source.descriptor, output.descriptor, &part, &written, &error)
        }
        guard status >= 0 else { throw .badOutput(error) }
        guard status > 0 else { return nil }
        var warnings = written.warnings
        if copying.format == .quickTime {
            var metadata = TimedMetadata(
                source: source, output: output, timing: timing,
                partStart: part.is_part ? written.first : nil)
            let length = written.end.subtractingReportingOverflow(written.first)
            metadata.add(
                FrameTime(
                    timestamp: written.first, duration: length.overflow ? 0 : length.partialValue))
            warnings += try metadata.keep()
        }
        let first = FrameTime(timestamp: written.first)
        let last = FrameTime(timestamp: written.end)
        return CopiedVideo(duration: timing.seconds(from: first, through: last), warnings: warnings)
    }
}
