// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Tells whether there is a video where a file says that there is one, and no part of its picture.
final class MotionVideoCheck {
    private let bytes: Bytes
    private let format: MediaFormat

    /// - Parameters:
    ///   - bytes: The file.
    ///   - format: Its format.
    init(_ bytes: Bytes, _ format: MediaFormat) {
        self.bytes = bytes
        self.format = format
    }

    /// The bytes of the video that lies in a range; nil where there is none.
    ///
    /// They end with the last of its boxes: what comes behind, such as a trailer of the camera's that was
    /// counted as a part of it, is none of it. One that is cut off, in the middle of its samples for
    /// example, is none.
    func verified(_ range: Range<Int>) -> Range<Int>? {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count, isFree(range) else {
            return nil
        }
        var end = range.lowerBound
        var hasMovie = false
        for box in BoxReader(bytes).children(of: range) {
            if end == range.lowerBound {
                guard box.type == "ftyp", box.contents.count >= 4 else { return nil }
            }
            if box.type == "moov" { hasMovie = true }
            end = box.contents.upperBound
        }
        if end == range.lowerBound || isCutOff(end..<range.upperBound) { return nil }
        return hasMovie ? range.lowerBound..<end : range
    }

    /// Whether what follows the last whole box is the beginning of one that videos have.
    private func isCutOff(_ rest: Range<Int>) -> Bool {
        guard rest.count >= 8, let type = bytes.slice(rest.lowerBound + 4, 4) else { return false }
        return Self.types.contains(String(decoding: type, as: UTF8.self))
    }

    private static let types: Set<String> = [
        "moov", "mdat", "moof", "free", "skip", "wide", "uuid",
    ]

    // MARK: - The picture

    /// Where the picture of a JPEG file ends; nil in other formats, and where that is not known.
    private(set) lazy var pictureEnd: Int? =
        format == .jpeg ? JPEGHeader(bytes).map { $0.end(bytes) } : nil

    /// Whether a range has nothing of the picture, as far as it is known where that lies.
    private func isFree(_ range: Range<Int>) -> Bool {
        switch format {
        case .jpeg:
            // Most places that are wrong are no video either, and the end takes long to find.
            guard bytes.has("ftyp", at: range.lowerBound + 4) else { return false }
            return range.lowerBound >= pictureEnd ?? 2
                && !JPEGMarks(bytes).furtherPictures.contains { range.contains($0) }
        case .heic, .avif:
            let boxes = BoxReader(bytes)
            let own = [boxes.contents("ftyp"), boxes.contents("meta")].compactMap(\.self)
            return !own.contains { $0.overlaps(range) }
                && !(HEIFItems(bytes)?.occupied ?? []).contains { $0.overlaps(range) }
        default: return range.lowerBound > 0
        }
    }
}
