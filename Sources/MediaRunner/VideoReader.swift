// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import FileAccess
import ImageMetadata
import RunnerProtocol
import RunnerSupport

/// An open video with its decoder. An instance is confined to one thread.
final class VideoReader {
    /// The facts from the index of the file.
    let facts: cmedia_facts
    let file: OpenFile
    private let reader: OpaquePointer
    private let threads: Int32
    /// The number of damaged frames among the decoded ones.
    private(set) var damagedCount = 0
    /// The frame sizes that differ from the index, in order of first occurrence.
    private var otherSizes: [PixelSize] = []
    /// The display size of the last decoded frame before rotation.
    private var last: PixelSize?
    /// The output size of frames before rotation.
    private var written: PixelSize?
    /// The conversion of frames to sRGB; `nil` if none is needed.
    private var colorMapper: ColorMapper?
    /// `true` once an interlaced frame has been decoded.
    private var isInterlaced = false

    private static let maximumSide = UncompressedLayout.maximumFrameSide
    /// The maximum number of sizes that a message lists.
    private static let maximumSizes = 4
    private static let maximumPixels = UncompressedLayout.maximumFramePixels

    /// - Throws: `badInput` if the file is not a supported video.
    init(_ file: OpenFile, threads: Int) throws(RunnerFailure) {
        var error = cmedia_error()
        guard let reader = cmedia_open(file.descriptor, &error) else {
            throw MovieDiagnosis.find(in: file).map {
                RunnerFailure(code: .badInput, message: "cannot be opened as a video: \($0)")
            } ?? .badVideo(error)
        }
        self.file = file
        self.reader = reader
        self.threads = Int32(clamping: max(1, threads))
        var facts = cmedia_facts()
        cmedia_describe(reader, &facts)
        self.facts = facts
    }

    deinit { cmedia_close(reader) }

    /// The tags of the file and the video track, keyed by lowercase name. The first tag of a name is used.
    var tags: [String: String] {
        var tags: [String: String] = [:]
        for index in 0..<Self.maximumTags {
            var value: UnsafePointer<CChar>?
            guard let name = cmedia_tag(reader, index, &value) else { break }
            let key = String(cString: name).lowercased()
            if let value, tags[key] == nil { tags[key] = String(cString: value) }
        }
        return tags
    }

    private static let maximumTags = 1000

    /// The local time at which an AVCHD camera recorded the last decoded frame; `nil` if the frame contains none.
    var recordingDate: CaptureDate? {
        var text = [CChar](repeating: 0, count: 20)
        guard cmedia_recording_time(reader, &text) else { return nil }
        let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return CaptureDateParser.parse(String(decoding: bytes, as: UTF8.self))
    }

    /// The text of the date in the first frame, if no tag states a date. It is written to edited versions and copies,
    /// whose frames do not contain it.
    ///
    /// Nothing may have been decoded.
    var undeclaredDate: String? {
        guard VideoTags.date(tags) == nil, (try? next()) != nil else { return nil }
        return recordingDate?.text
    }

    /// Determines which content is beyond the end of the file.
    func findMissingContent(_ absence: inout cmedia_absence) {
        cmedia_look_for_end(reader, &absence)
    }

    /// Determines which content a container cannot store.
    func findLosses(_ container: UnsafePointer<CChar>, _ losses: inout cmedia_loss) {
        cmedia_foresee(reader, container, &losses)
    }

    // MARK: - Sizes

    /// Returns the size of upright frames with square pixels.
    ///
    /// - Throws: `badInput` if the video has no size, or `tooLarge` if it exceeds the limits.
    func size() throws(RunnerFailure) -> PixelSize {
        let displayed = try Self.displayed(Int(facts.width), Int(facts.height), facts)
        return isTransposed
            ? PixelSize(width: displayed.height, height: displayed.width) : displayed
    }

    /// `true` if the orientation swaps width and height.
    private var isTransposed: Bool { facts.orientation >= 5 }

    private static func displayed(
        _ width: Int, _ height: Int, _ facts: cmedia_facts
    ) throws(RunnerFailure) -> PixelSize {
        let aspect = Double(facts.aspect_numerator) / Double(max(1, facts.aspect_denominator))
        let isPlausible = aspect > 1.0 / 16 && aspect < 16
        let wide = isPlausible ? (Double(width) * aspect).rounded() : Double(width)
        guard width > 0, height > 0, wide >= 1, max(wide, Double(height)) <= Double(maximumSide),
            wide * Double(height) <= Double(maximumPixels)
        else {
            throw RunnerFailure(
                code: width > 0 && height > 0 ? .tooLarge : .badInput,
                message:
                    "its frames are \(width)x\(height) pixels; each side must be from 1 to "
                    + "\(maximumSide)"
            )
        }
        return PixelSize(width: Int(wide), height: height)
    }

    // MARK: - Frames

    /// Returns the time base and the duration, as players count them. They are exact once a frame has been
    /// decoded.
    func timing() throws(RunnerFailure) -> FrameTiming {
        let (numerator, denominator) = (facts.time_base_numerator, facts.time_base_denominator)
        guard numerator > 0, denominator > 0 else {
            throw RunnerFailure(code: .badInput, message: "it has no time base")
        }
        let start = cmedia_origin(reader)
        let whole = facts.duration * Double(denominator) / Double(numerator)
        // The duration of the file may not include the time before the first frame.
        let units = max(whole, Double(facts.end) - Double(start))
        return FrameTiming(
            numerator: numerator, denominator: denominator, start: start,
            duration: whole > 0 && units.isFinite && units < 1e15 ? Int64(units.rounded()) : 0)
    }

    /// Decodes the next frame; returns `nil` at the end of the video.
    ///
    /// - Parameter looksAhead: Pass `true` to decode one frame ahead: a frame's exact duration depends on the
    ///   next frame.
    /// - Throws: `badInput`, or `tooLarge` if the frame exceeds the limits.
    func next(looksAhead: Bool = false) throws(RunnerFailure) -> FrameTime? {
        var error = cmedia_error()
        var frame = cmedia_frame()
        switch cmedia_next(reader, threads, looksAhead, &frame, &error) {
        case 1: return try frameTime(frame)
        case 0: return nil
        default: throw .badVideo(error)
        }
    }

    /// The number of packets that the decoder could not decode to a frame.
    var lossCount: Int { Int(clamping: cmedia_losses(reader)) }

    /// The time in seconds between the end of the last frame and that of the index, if no frames are left.
    var missing: Double { Double(cmedia_missing(reader)) / 1e6 }

    /// Decodes the frame that is shown at a time.
    ///
    /// - Parameter seconds: The time as players count it. It is clamped to the first and the last frame.
    /// - Throws: `badInput`, including if there are no frames; `tooLarge` if the frame exceeds the limits.
    func frame(at seconds: Double) throws(RunnerFailure) -> FrameTime {
        var error = cmedia_error()
        var frame = cmedia_frame()
        let time = Int64(
            (min(max(0, seconds), VideoFacts.maximumDuration) * 1_000_000).rounded())
        guard cmedia_frame_at(reader, threads, time, &frame, &error) == 1 else {
            throw .badVideo(error)
        }
        return try frameTime(frame)
    }

    private func frameTime(_ frame: cmedia_frame) throws(RunnerFailure) -> FrameTime {
        if frame.is_damaged { damagedCount += 1 }
        let size = try Self.displayed(Int(frame.width), Int(frame.height), facts)
        if size != last { recordSize(size) }
        last = size
        isInterlaced = isInterlaced || frame.is_interlaced
        let coding = ColorCoding(
            transfer: Int(frame.color_transfer), primaries: Int(frame.color_primaries))
        if coding != colorMapper?.coding {
            colorMapper = coding.map { ColorMapper($0, threads: Int(threads)) }
        }
        return FrameTime(timestamp: frame.timestamp, duration: max(0, frame.duration))
    }

    private func recordSize(_ size: PixelSize) {
        guard let expected = try? Self.displayed(Int(facts.width), Int(facts.height), facts),
            size != expected, otherSizes.count <= Self.maximumSizes, !otherSizes.contains(size)
        else { return }
        otherSizes.append(size)
    }

    /// Warnings about the decoded frames.
    var notes: [String] {
        guard !otherSizes.isEmpty, let expected = try? size() else { return [] }
        let names = otherSizes.prefix(Self.maximumSizes).map { size in
            let size = upright(size)
            return "\(size.width) by \(size.height)"
        }
        let more = otherSizes.count > Self.maximumSizes ? " and others" : ""
        return [
            "the size of its frames changes: those of \(names.joined(separator: ", "))\(more) "
                + "are scaled to \(expected.width) by \(expected.height) pixels"
        ]
    }

    /// Returns the last decoded frame as an image.
    ///
    /// - Parameter longerSide: The maximum of width and height in pixels; `nil` keeps the full size.
    /// - Throws: `badInput` if the frame cannot be converted.
    func picture(longerSide: Int?) throws(RunnerFailure) -> FramePicture {
        guard let displayed = last else {
            throw RunnerFailure(code: .badRequest, message: "no frame has been decoded")
        }
        let fitted =
            longerSide.map {
                ImageGeometry.size(
                    of: displayed, in: PixelSize(width: $0, height: $0), fills: false)
            } ?? displayed
        let size = upright(fitted)
        let layout = UncompressedLayout(
            width: size.width, height: size.height, pixelFormat: .rgb8, profile: .sRGB)
        var failure: RunnerFailure?
        let pixels = [UInt8](unsafeUninitializedCapacity: layout.byteCount) { buffer, count in
            do throws(RunnerFailure) {
                try write(fitted, to: UnsafeMutableRawBufferPointer(buffer))
                count = layout.byteCount
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return FramePicture(pixels: pixels, layout: layout, fullSize: upright(displayed))
    }

    /// Scales frames down from now on.
    ///
    /// - Parameter height: The height of upright frames in pixels. `nil`, or a height that is not smaller,
    ///   keeps the full size.
    /// - Returns: The size of upright frames from now on.
    func reduce(toHeight height: Int?) throws(RunnerFailure) -> PixelSize {
        let full = try Self.displayed(Int(facts.width), Int(facts.height), facts)
        let side = isTransposed ? full.width : full.height
        guard let height, height > 0, height < side else {
            written = full
            return upright(full)
        }
        let factor = Double(height) / Double(side)
        let reduced = PixelSize(
            width: max(1, Int((Double(full.width) * factor).rounded())),
            height: max(1, Int((Double(full.height) * factor).rounded())))
        written = reduced
        return upright(reduced)
    }

    /// Writes the last decoded frame, upright, in the size set by ``reduce(toHeight:)``.
    ///
    /// - Throws: `badInput` if the frame cannot be converted.
    func write(to memory: UnsafeMutableRawBufferPointer) throws(RunnerFailure) {
        guard let size = written else {
            throw RunnerFailure(code: .badRequest, message: "no size has been chosen")
        }
        try write(size, to: memory)
    }

    private func write(
        _ size: PixelSize, to memory: UnsafeMutableRawBufferPointer
    ) throws(RunnerFailure) {
        var error = cmedia_error()
        let orientation = max(1, facts.orientation)
        let (width, height) = (Int32(size.width), Int32(size.height))
        guard let colorMapper, colorMapper.needsDepth || facts.bits > 8 else {
            guard
                cmedia_write_upright(
                    reader, width, height, orientation, memory.baseAddress, memory.count, &error)
            else { throw .badVideo(error) }
            colorMapper?.map(size, in: memory)
            return
        }
        guard memory.count >= size.width * size.height * 3 else {
            throw RunnerFailure(code: .badRequest, message: "a frame does not fit into its memory")
        }
        let deep = colorMapper.deep(size)
        guard
            cmedia_write_rgb16(reader, width, height, deep.baseAddress, size.width * 6, &error)
        else { throw .badVideo(error) }
        guard orientation != 1 else { return colorMapper.map(size, to: memory) }
        let coded = colorMapper.coded(size)
        colorMapper.map(size, to: coded)
        cmedia_turn(
            coded.baseAddress, width, height, orientation,
            memory.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    /// Warnings about how frames are shown.
    var warnings: [String] {
        let fields = isInterlaced ? ["interlaced: only the first field of each frame is used"] : []
        return fields + (colorMapper?.coding.warning.map { [$0] } ?? [])
    }

    private func upright(_ size: PixelSize) -> PixelSize {
        isTransposed ? PixelSize(width: size.height, height: size.width) : size
    }
}
