// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The video in the file of a Motion Photo, according to the first valid claim of the file. The search order is:
///
/// 1. The box `mpvd` of HEIC and AVIF (Google's Motion Photo format 1.0).
/// 2. `GCamera:MotionPhoto` in XMP with the lengths of `Container:Directory`, relative to the end of the file (the same
///    format).
/// 3. `GCamera:MicroVideo` in XMP with `MicroVideoOffset`, in bytes from the end of the file (the predecessor of that
///    format).
/// 4. The trailer of Samsung phones: at the end of a JPEG, or in the box `sefd` of HEIC.
///
/// A valid video starts with a box `ftyp`, is completely inside the file, and does not overlap known parts of the
/// picture.
package struct MotionVideo {
    /// The range of the video; `nil` if there is none.
    package let video: EmbeddedVideo?
    /// The message for the user if a claimed video is missing.
    package let problem: String?

    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - format: The format of the file.
    ///   - xmp: The XMP packet of the file.
    package init(_ bytes: Bytes, _ format: MediaFormat, xmp: XMPPacket?) {
        let claims = xmp.map(MotionPhotoMetadata.init)
        let check = MotionVideoCheck(bytes, format)
        var problem: String?
        for claim in Self.claims(bytes, format, claims, check) {
            if let found = claim.ranges.lazy.compactMap({ $0() }).compactMap(check.verified).first {
                video = EmbeddedVideo(
                    offset: found.lowerBound, length: found.count,
                    presentationTime: claims?.presentationTime)
                self.problem = nil
                return
            }
            problem = problem ?? claim.problem
        }
        video = nil
        self.problem = problem
    }

    /// A claim about a video by one part of the file.
    private struct Claim {
        /// The possible ranges of the video, starting with the most likely one. Each is computed on demand; `nil` means
        /// that it is impossible.
        let ranges: [() -> Range<Int>?]
        /// The message if none of the ranges contains a video.
        let problem: String
    }

    /// Returns the claims of the file in search order. They are computed on demand.
    private static func claims(
        _ bytes: Bytes, _ format: MediaFormat, _ claims: MotionPhotoMetadata?,
        _ check: MotionVideoCheck
    ) -> some Sequence<Claim> {
        let sources: [() -> Claim?] = [
            { boxes(bytes, format) },
            { claims.flatMap { directory($0, bytes.count, check) } },
            { claims.flatMap { microVideo($0, bytes.count) } },
            { trailer(bytes, format) },
        ]
        return sources.lazy.compactMap { $0() }
    }

    // MARK: - Claims

    /// The maximum number of boxes that are checked.
    private static let maximumBoxes = 4

    private static func boxes(_ bytes: Bytes, _ format: MediaFormat) -> Claim? {
        guard format == .heic || format == .avif else { return nil }
        let found = BoxReader(bytes).children(of: 0..<bytes.count).filter { $0.type == "mpvd" }
            .prefix(maximumBoxes).map { box in { box.contents as Range<Int>? } }
        if found.isEmpty { return nil }
        return Claim(
            ranges: found,
            problem: "its box for the video of a Motion Photo (mpvd) contains no video")
    }

    private static func directory(
        _ claims: MotionPhotoMetadata, _ fileLength: Int, _ check: MotionVideoCheck
    ) -> Claim? {
        guard claims.isMotionPhoto else { return nil }
        let items = claims.items ?? []
        guard let index = items.firstIndex(where: { $0.semantic == "MotionPhoto" }),
            let length = items[index].length, length > 0
        else {
            return claims.isMicroVideo
                ? nil : Claim(ranges: [], problem: Self.problem("its XMP", nil))
        }
        let padding = items[index].padding
        let trailingLength = sum(items[(index + 1)...])
        return Claim(
            ranges: [
                { trailingLength.flatMap { before(fileLength, $0, padding, length) } },
                {
                    // Samsung phones include the padding after the video in its length.
                    guard padding > 0, padding < length else { return nil }
                    return trailingLength.flatMap { before(fileLength, $0, 0, length) }
                        .map { $0.lowerBound..<$0.upperBound - padding }
                },
                // This range is relative to the start of the file, in case data was appended to the file.
                { start(of: index, in: items, check).flatMap { range($0, length) } },
            ],
            problem: Self.problem("its XMP", length))
    }

    private static func microVideo(_ claims: MotionPhotoMetadata, _ fileLength: Int) -> Claim? {
        guard claims.isMicroVideo else { return nil }
        let length = claims.microVideoOffset
        return Claim(
            ranges: [{ length.flatMap { before(fileLength, 0, 0, $0) } }],
            problem: problem("its XMP", length))
    }

    private static func trailer(_ bytes: Bytes, _ format: MediaFormat) -> Claim? {
        let end: Int?
        switch format {
        case .jpeg: end = bytes.count
        case .heic, .avif: end = BoxReader(bytes).contents("sefd")?.upperBound
        default: end = nil
        }
        guard let end, let part = SamsungTrailer(bytes, end: end)?.video(bytes) else { return nil }
        return Claim(
            ranges: [{ range(part.offset, part.length) }],
            problem: problem("Samsung's trailer in it", part.length))
    }

    private static func problem(_ source: String, _ length: Int?) -> String {
        let bytes = length.map { " of \($0) bytes" } ?? ""
        return "\(source) announces a video\(bytes) that is missing"
    }

    // MARK: - Ranges

    /// Returns the total length of items with their padding; `nil` if a length is missing or the sum overflows.
    private static func sum(_ items: some Sequence<MotionPhotoMetadata.Item>) -> Int? {
        var sum = 0
        for item in items {
            guard let length = item.length else { return nil }
            for number in [length, item.padding] {
                let (new, overflow) = sum.addingReportingOverflow(number)
                if overflow { return nil }
                sum = new
            }
        }
        return sum
    }

    /// Returns the offset of an item, which follows the items before it. If the first item has no length, it ends at
    /// the end of the picture.
    private static func start(
        of index: Int, in items: [MotionPhotoMetadata.Item], _ check: MotionVideoCheck
    ) -> Int? {
        guard var first = items.first, index > 0 else { return nil }
        if first.length ?? 0 == 0 { first.length = check.pictureEnd }
        return sum([first] + items[1..<index])
    }

    /// Returns the range of `length` bytes at a distance from the end of the file; `nil` if it is out of range.
    private static func before(
        _ fileLength: Int, _ trailingLength: Int, _ padding: Int, _ length: Int
    ) -> Range<Int>? {
        let (distance, overflow) = trailingLength.addingReportingOverflow(padding)
        guard !overflow, distance <= fileLength, length <= fileLength - distance else { return nil }
        let end = fileLength - distance
        return end - length..<end
    }

    /// Returns a range that may exceed the file; `nil` if it is invalid.
    private static func range(_ start: Int, _ length: Int) -> Range<Int>? {
        let (end, overflow) = start.addingReportingOverflow(length)
        return overflow || start < 0 || length < 0 ? nil : start..<end
    }
}
