// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import FileAccess
import Glibc
import ImageMetadata
import RunnerProtocol
import RunnerSupport

/// Copies a video, or whole groups of pictures of it, without re-encoding.
enum VideoCopy {
    /// - Returns: The copied video; `nil` if it must be re-encoded.
    /// - Throws: `badInput`, `outputFailed`, `diskFull`.
    static func run(
        _ copying: VideoCopySettings, _ received: ReceivedRequest
    ) throws(RunnerFailure) -> CopiedVideo? {
        let (source, output) = (
            try received.descriptor(.base), try received.descriptor(.videoOutput)
        )
        // The reader provides the time base.
        let reader = try VideoReader(source, threads: 1)
        let timing = try reader.timing()
        var part = cmedia_copying()
        if let range = copying.part {
            let (end, overflow) = range.start.addingReportingOverflow(range.duration)
            guard !overflow, range.numerator == timing.numerator,
                range.denominator == timing.denominator
            else { return nil }
            part.is_part = true
            part.part_start = range.start
            part.part_end = end
        }
        part.omitted_streams = VideoReader.tracksInOtherFiles(source)
        part.omission = copying.omittedMetadata?.omission ?? CMEDIA_OMIT_NOTHING
        var (error, written) = (cmedia_error(), cmedia_written())
        let date = strdup(reader.undeclaredDate ?? "")
        defer { free(date) }
        if let date, date.pointee != 0 { part.date = UnsafePointer(date) }
        let status = try copying.format.muxer.withCString { container in
            part.container = container
            return cmedia_copy(source.descriptor, output.descriptor, &part, &written, &error)
        }
        guard status >= 0 else { throw .badOutput(error) }
        guard status > 0 else { return nil }
        var warnings = written.warnings + reader.trackLosses
        if written.subtitles > 0, copying.omittedMetadata != nil {
            warnings.append("its subtitles are kept; they may name places and people")
        }
        if copying.format == .quickTime, copying.omittedMetadata != nil {
            try mark(output, copying)
        } else if copying.format == .quickTime {
            var metadata = TimedMetadata(
                source: source, output: output, timing: timing,
                partStart: part.is_part ? written.first : nil)
            let length = written.end.subtractingReportingOverflow(written.first)
            metadata.add(
                FrameTime(
                    timestamp: written.first, duration: length.overflow ? 0 : length.partialValue))
            warnings += try metadata.copy()
            try mark(output, copying)
        }
        let first = FrameTime(timestamp: written.first)
        let last = FrameTime(timestamp: written.end)
        return CopiedVideo(duration: timing.seconds(from: first, through: last), warnings: warnings)
    }

    /// Writes the metadata that makes a MOV file the video of a Live Photo.
    private static func mark(
        _ output: OpenFile, _ copying: VideoCopySettings
    ) throws(RunnerFailure) {
        do throws(MovieError) {
            if let identifier = copying.contentIdentifier {
                try Movie.setMetadata(
                    [.contentIdentifier: MetadataValue(identifier)], in: output)
            }
            guard let seconds = copying.stillTime, (0..<1e6).contains(seconds),
                try Movie(reading: output).stillImageTime(in: output) == nil,
                let time = RationalTime(
                    value: Int64((seconds * 1e6).rounded()), timescale: 1_000_000)
            else { return }
            do throws(MovieError) {
                try Movie.addStillImageTime(time, to: output)
            } catch {
                // A time outside the video is ignored rather than failing the copy.
                guard error.code == .unsupported else { throw error }
            }
        } catch {
            throw RunnerFailure(
                code: error.code == .diskFull ? .diskFull : .outputFailed, message: error.message)
        }
    }
}

extension EncodeSettings.OmittedMetadata {
    /// The equivalent constant of the C API.
    fileprivate var omission: cmedia_omission {
        switch self {
        case .location, .locationAndPeople: CMEDIA_OMIT_PLACE
        // Tags do not name persons. Timed metadata and XMP, which may, are not copied.
        case .people: CMEDIA_OMIT_NOTHING
        case .allButCopyright: CMEDIA_OMIT_ALL_BUT_COPYRIGHT
        case .all: CMEDIA_OMIT_ALL
        }
    }
}
