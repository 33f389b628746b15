// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Verifies that a claimed range contains a video and no part of the picture.
final class MotionVideoCheck {
    private let bytes: Bytes
    private let format: MediaFormat

    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - format: The format of the file.
    init(_ bytes: Bytes, _ format: MediaFormat) {
        self.bytes = bytes
        self.format = format
    }

    /// Returns the range of the video inside a claimed range; `nil` if there is none.
    ///
    /// The range ends with the last complete box. It excludes data after that box, such as a camera trailer that was
    /// counted as part of the video. A truncated video is rejected, for example one that ends within its samples.
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
        if end == range.lowerBound || isTruncated(end..<range.upperBound) { return nil }
        return hasMovie ? range.lowerBound..<end : range
    }

    /// Whether the data after the last complete box is the beginning of a truncated video box.
    private func isTruncated(_ rest: Range<Int>) -> Bool {
        guard rest.count >= 8, let type = bytes.slice(rest.lowerBound + 4, 4) else { return false }
        return Self.types.contains(String(decoding: type, as: UTF8.self))
    }

    private static let types: Set<String> = [
        "moov", "mdat", "moof", "free", "skip", "wide", "uuid",
    ]

    // MARK: - The picture

    /// The end of the picture in a JPEG file; `nil` for other formats or if unknown.
    private(set) lazy var pictureEnd: Int? =
        format == .jpeg ? JPEGHeader(bytes).map { $0.end(bytes) } : nil

    /// Whether a range contains no known part of the picture.
    private func isFree(_ range: Range<Int>) -> Bool {
        switch format {
        case .jpeg:
            // This is checked first, because most wrong ranges contain no video, and finding the end of the picture is
            // slow.
            guard bytes.has("ftyp", at: range.lowerBound + 4) else { return false }
            return range.lowerBound >= pictureEnd ?? 2
                && !JPEGAuxiliaryPictures(bytes).additionalPictures.contains { range.contains($0) }
        case .heic, .avif:
            let boxes = BoxReader(bytes)
            let own = [boxes.contents("ftyp"), boxes.contents("meta")].compactMap(\.self)
            return !own.contains { $0.overlaps(range) }
                && !(HEIFItems(bytes)?.occupied ?? []).contains { $0.overlaps(range) }
        default: return range.lowerBound > 0
        }
    }
}
