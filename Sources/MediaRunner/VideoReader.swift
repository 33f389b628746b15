// SPDX-License-Identifier: Apache-2.0

import CMedia
import EditingModel
import FileAccess
import RunnerProtocol

/// A picture of a video, upright.
struct FramePicture {
    let pixels: [UInt8]
    let layout: RawLayout
    /// Its size before it was reduced.
    let fullSize: PixelSize
}

/// One video that is open. Used on one thread.
final class VideoReader {
    /// What its index says.
    let facts: cmedia_facts
    private let file: OpenFile
    private let reader: OpaquePointer
    private let threads: Int32

    /// The longest side, in pixels, and the most pixels of a frame.
    private static let maximumSide = 16384
    private static let maximumPixels = 1 << 27

    /// - Throws: `badInput` where it is no video that can be opened.
    init(_ file: OpenFile, threads: Int) throws(RunnerFailure) {
        var error = cmedia_error()
        guard let reader = cmedia_open(file.descriptor, &error) else {
            throw .badVideo(error)
        }
        self.file = file
        self.reader = reader
        self.threads = Int32(clamping: max(1, threads))
        var facts = cmedia_facts()
        cmedia_describe(reader, &facts)
        self.facts = facts
    }

    deinit { cmedia_close(reader) }

    /// The tags of the whole and of the video, the first of a name counts; names in lower case.
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

    // MARK: - Sizes

    /// The size of its frames, held upright, with square pixels.
    ///
    /// - Throws: `badInput` where there is none, or too large a one.
    func size() throws(RunnerFailure) -> PixelSize {
        let displayed = try Self.displayed(Int(facts.width), Int(facts.height), facts)
        return isTransposed
            ? PixelSize(width: displayed.height, height: displayed.width) : displayed
    }

    /// Whether it is held upright by a quarter turn.
    private var isTransposed: Bool { facts.orientation >= 5 }

    private static func displayed(
        _ width: Int, _ height: Int, _ facts: cmedia_facts
    ) throws(RunnerFailure) -> PixelSize {
        let aspect = Double(facts.aspect_numerator) / Double(max(1, facts.aspect_denominator))
        let isUsual = aspect > 1.0 / 16 && aspect < 16
        let wide = isUsual ? (Double(width) * aspect).rounded() : Double(width)
        guard width > 0, height > 0, wide >= 1, max(wide, Double(height)) <= Double(maximumSide),
            wide * Double(height) <= Double(maximumPixels)
        else {
            throw RunnerFailure(
                code: width > 0 && height > 0 ? .tooLarge : .badInput,
                message:
                    "its frames are \(width) by \(height) pixels, and not 1 to \(maximumSide) a side"
            )
        }
        return PixelSize(width: Int(wide), height: height)
    }

    // MARK: - Frames

    /// Its first frame that can be decoded, which stands for it.
    ///
    /// - Parameter longerSide: what it is fitted into, in pixels; nil: it stays as large as it is.
    /// - Throws: `badInput` where it has none.
    func firstPicture(longerSide: Int?) throws(RunnerFailure) -> FramePicture {
        var error = cmedia_error()
        var frame = cmedia_frame()
        let status = cmedia_next(reader, threads, &frame, &error)
        guard status == 1 else {
            throw status == 0
                ? RunnerFailure(code: .badInput, message: "it has no frames") : .badVideo(error)
        }
        let displayed = try Self.displayed(Int(frame.width), Int(frame.height), facts)
        let fitted =
            longerSide.map {
                ImageGeometry.size(
                    of: displayed, in: PixelSize(width: $0, height: $0), fills: false)
            } ?? displayed
        let pixels = try pixels(fitted)
        func upright(_ size: PixelSize) -> PixelSize {
            isTransposed ? PixelSize(width: size.height, height: size.width) : size
        }
        let size = upright(fitted)
        return FramePicture(
            pixels: turned(pixels, fitted),
            layout: RawLayout(
                width: size.width, height: size.height, pixelFormat: .rgb8, profile: .sRGB),
            fullSize: upright(displayed))
    }

    private func pixels(_ size: PixelSize) throws(RunnerFailure) -> [UInt8] {
        var error = cmedia_error()
        var isWritten = false
        let pixels = [UInt8](unsafeUninitializedCapacity: size.width * size.height * 3) {
            buffer, count in
            guard let start = buffer.baseAddress else { return }
            isWritten = cmedia_write_rgb(
                reader, Int32(size.width), Int32(size.height), start, size.width * 3, &error)
            count = isWritten ? buffer.count : 0
        }
        guard isWritten else { throw .badVideo(error) }
        return pixels
    }

    private func turned(_ pixels: [UInt8], _ size: PixelSize) -> [UInt8] {
        guard facts.orientation > 1 else { return pixels }
        return [UInt8](unsafeUninitializedCapacity: pixels.count) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            cmedia_turn(pixels, Int32(size.width), Int32(size.height), facts.orientation, start)
            count = pixels.count
        }
    }
}

extension RunnerFailure {
    /// What the shim over FFmpeg says.
    fileprivate static func badVideo(_ error: cmedia_error) -> RunnerFailure {
        let message = withUnsafeBytes(of: error.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return RunnerFailure(code: .badInput, message: message)
    }
}
