// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import FileAccess
import Glibc
import RunnerProtocol
import RunnerSupport

/// A video that is being encoded. An instance is confined to one thread.
final class VideoWriter {
    private let writer: OpaquePointer
    private let output: OpenFile
    private let source: OpenFile
    private let size: PixelSize
    private let layout: UncompressedLayout
    /// `true` once the end of the last frame is known.
    private var isEnding = false
    /// The timed metadata, which FFmpeg does not preserve; `nil` if the container cannot store it.
    private var timedMetadata: TimedMetadata?

    /// Opens the output file. Its audio, chapters and metadata are copied from another video.
    ///
    /// - Throws: `outputFailed`, `diskFull`, `badInput`, `badRequest`.
    init(_ writing: VideoWriterSettings, _ received: ReceivedRequest) throws(RunnerFailure) {
        source = try received.descriptor(.base)
        output = try received.descriptor(.videoOutput)
        let size = writing.encodedSize
        self.size = size
        layout = UncompressedLayout(
            width: writing.width, height: writing.height, pixelFormat: .rgb8, profile: .sRGB)
        let range = writing.settings.codec.sides
        guard range.contains(size.width), range.contains(size.height) else {
            throw RunnerFailure(
                code: .badInput,
                message:
                    "a video of \(size.width) by \(size.height) pixels cannot be written; each "
                    + "side must be from \(range.lowerBound) to \(range.upperBound) "
                    + "pixels")
        }
        let container = try writing.format.muxer
        let settings = writing.settings
        let volume = writing.volume ?? 1
        guard (0...1).contains(volume) else {
            throw RunnerFailure(code: .badRequest, message: "the volume must be from 0 to 1")
        }
        let hasSound = volume > 0
        let elsewhere = VideoReader.tracksInOtherFiles(source)
        let (input, target) = (source.descriptor, output.descriptor)
        let date = strdup(Self.undeclaredDate(of: source, writing.settings) ?? "")
        defer { free(date) }
        var error = cmedia_error()
        let begun = container.withCString { container in
            settings.codec.encoder.withCString { codec in
                settings.preset.withCString { preset in
                    var options = cmedia_writing()
                    options.container = container
                    options.codec = codec
                    options.preset = preset
                    options.quality = Int32(clamping: settings.quality)
                    options.width = Int32(size.width)
                    options.height = Int32(size.height)
                    options.threads = Int32(clamping: max(1, settings.threads))
                    options.time_base_numerator = writing.timing.numerator
                    options.time_base_denominator = writing.timing.denominator
                    options.is_part = writing.partStart != nil
                    options.part_start = writing.partStart ?? 0
                    options.part_end = writing.partEnd ?? options.part_start
                    options.keeps_sound = hasSound
                    options.volume = volume
                    options.keeps_metadata = settings.isForWeb != true
                    options.is_for_web = settings.isForWeb == true
                    if let date, date.pointee != 0 { options.date = UnsafePointer(date) }
                    options.omitted_streams = elsewhere
                    return cmedia_begin(input, target, &options, &error)
                }
            }
        }
        guard let begun else { throw .badOutput(error) }
        writer = begun
        if writing.format == .quickTime {
            timedMetadata = TimedMetadata(
                source: source, output: output, timing: writing.timing,
                partStart: writing.partStart)
        }
    }

    deinit { cmedia_discard(writer) }

    /// The capture date that only a frame states, unless metadata is omitted.
    private static func undeclaredDate(of source: OpenFile, _ settings: VideoSettings) -> String? {
        guard settings.isForWeb != true else { return nil }
        return (try? VideoReader(source, threads: 1))?.undeclaredDate
    }

    /// Encodes a frame with 8 bits per sample.
    ///
    /// - Throws: `outputFailed`, `diskFull`.
    func write(
        _ pixels: UnsafeMutableRawBufferPointer, _ layout: UncompressedLayout, _ time: FrameTime
    ) throws(RunnerFailure) {
        guard layout == self.layout,
            pixels.count >= layout.byteCount + VideoWriterSettings.readAhead
        else {
            throw RunnerFailure(
                code: .outputFailed, message: "the size of a frame differs from that of the first")
        }
        var error = cmedia_error()
        guard
            cmedia_add_frame(
                writer, pixels.baseAddress, Int32(layout.width), Int32(layout.height),
                time.timestamp, time.duration, &error)
        else { throw .badOutput(error) }
        timedMetadata?.add(time)
    }

    /// Completes the file, or writes one of the frames that the encoder has delayed.
    ///
    /// - Parameter time: The end of the last frame in its time base; `nil` uses the frame's own duration.
    /// - Returns: The report; `nil` if it must be called again.
    /// - Throws: `outputFailed`, `diskFull`.
    func end(at time: Int64?) throws(RunnerFailure) -> RenderReport? {
        if let time, !isEnding { cmedia_show_until(writer, time) }
        isEnding = true
        var error = cmedia_error()
        let flushed = cmedia_flush(writer, &error)
        guard flushed >= 0 else { throw .badOutput(error) }
        guard flushed == 0 else { return nil }
        var written = cmedia_written()
        guard cmedia_end(writer, &written, &error) else { throw .badOutput(error) }
        let warnings = written.warnings + (try timedMetadata?.copy() ?? [])
        return RenderReport(
            width: size.width, height: size.height, byteCount: output.length ?? 0, facts: nil,
            fullSizeDecodes: 0, warnings: warnings)
    }

}

extension VideoWriterSettings {
    /// The encoded size: at most the requested height, never enlarged, and even, since H.264 chroma is
    /// subsampled by 2.
    fileprivate var encodedSize: PixelSize {
        guard let requestedHeight = settings.height, requestedHeight > 0, requestedHeight < height
        else {
            return PixelSize(width: width & ~1, height: height & ~1)
        }
        let reduced = (Double(width) * Double(requestedHeight) / Double(height)).rounded()
        return PixelSize(width: max(2, Int(reduced) & ~1), height: max(2, requestedHeight & ~1))
    }
}

extension cmedia_written {
    /// Warnings for the user.
    var warnings: [String] {
        var warnings: [String] = []
        if moved > 0 {
            warnings.append(
                "\(moved) of its \(frames) frames \(moved == 1 ? "has" : "have") the same time "
                    + "as the previous frame, or an earlier one; each is shown right after it")
        }
        if lost_sound > 0 {
            warnings.append(
                "sound tracks omitted because of an unknown codec, or because no samples were "
                    + "found: \(lost_sound)")
        }
        if lost_subtitles > 0 {
            warnings.append("subtitle tracks omitted: \(lost_subtitles)")
        }
        if lost_data > 0 {
            warnings.append(
                lost_data == 1
                    ? "its data track is omitted" : "its \(lost_data) data tracks are omitted")
        }
        if lost_timecodes > 0 { warnings.append("its timecode is omitted") }
        if lost_covers > 0 { warnings.append("its cover, a picture in the file, is omitted") }
        return warnings
    }
}
