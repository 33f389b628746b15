// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The video in the file of a Motion Photo: where it is, by the first that is true of what the file says of it.
///
/// 1. A box `mpvd` of HEIC and AVIF (Google's Motion Photo format 1.0).
/// 2. XMP's `GCamera:MotionPhoto` with the lengths of `Container:Directory`, which count from the end of the
///    file (the same).
/// 3. XMP's `GCamera:MicroVideo` with `MicroVideoOffset`, bytes from the end of the file, which came before
///    that.
/// 4. The trailer of Samsung's phones: at the end of a JPEG, or in the box `sefd` of HEIC.
///
/// What is found begins with a box `ftyp`, lies in the file as a whole, and shares no byte with what is known
/// to belong to the picture.
struct MotionVideo {
    /// Where it is; nil: there is none.
    let video: EmbeddedVideo?
    /// Why there is none though the file says so, for the user.
    let problem: String?

    /// - Parameters:
    ///   - bytes: The file.
    ///   - format: Its format.
    ///   - xmp: What its XMP says.
    init(_ bytes: Bytes, _ format: MediaFormat, xmp: XMPPacket?) {
        let claims = xmp.map(MotionClaims.init)
        let check = MotionVideoCheck(bytes, format)
        var problem: String?
        for place in Self.claims(bytes, format, claims, check) {
            if let found = place.ranges.lazy.compactMap({ $0() }).compactMap(check.verified).first {
                video = EmbeddedVideo(
                    offset: found.lowerBound, length: found.count,
                    presentationTime: claims?.presentationTime)
                self.problem = nil
                return
            }
            problem = problem ?? place.problem
        }
        video = nil
        self.problem = problem
    }

    /// What one part of the file says.
    private struct Claim {
        /// Where the video may be meant to be, the likeliest place first. Each is found out only where the
        /// one before is wrong, and is nil where there can be no such place.
        let ranges: [() -> Range<Int>?]
        /// What to say where it is at none of them.
        let problem: String
    }

    /// What the file says, each found out only where what comes before is not true.
    private static func claims(
        _ bytes: Bytes, _ format: MediaFormat, _ claims: MotionClaims?, _ check: MotionVideoCheck
    ) -> some Sequence<Claim> {
        let ways: [() -> Claim?] = [
            { boxes(bytes, format) },
            { claims.flatMap { directory($0, bytes.count, check) } },
            { claims.flatMap { microVideo($0, bytes.count) } },
            { trailer(bytes, format) },
        ]
        return ways.lazy.compactMap { $0() }
    }

    // MARK: - Ways

    /// More boxes of the kind are in no file.
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
        _ claims: MotionClaims, _ fileLength: Int, _ check: MotionVideoCheck
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
        let behind = sum(items[(index + 1)...])
        return Claim(
            ranges: [
                { behind.flatMap { before(fileLength, $0, padding, length) } },
                {
                    // Samsung's phones count what they put behind the video as a part of it, too.
                    guard padding > 0, padding < length else { return nil }
                    return behind.flatMap { before(fileLength, $0, 0, length) }
                        .map { $0.lowerBound..<$0.upperBound - padding }
                },
                // From the beginning of the file, where something was appended to it.
                { start(of: index, in: items, check).flatMap { range($0, length) } },
            ],
            problem: Self.problem("its XMP", length))
    }

    private static func microVideo(_ claims: MotionClaims, _ fileLength: Int) -> Claim? {
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
        guard let end, let place = SamsungTrailer(bytes, end: end)?.video(bytes) else { return nil }
        return Claim(
            ranges: [{ range(place.offset, place.length) }],
            problem: problem("Samsung's trailer in it", place.length))
    }

    private static func problem(_ speaker: String, _ length: Int?) -> String {
        let bytes = length.map { " of \($0) bytes" } ?? ""
        return "\(speaker) announces a video\(bytes) that is missing"
    }

    // MARK: - Places

    /// How long items are with what comes behind them; nil where a length is missing, or they are longer than
    /// any file.
    private static func sum(_ items: some Sequence<MotionClaims.Item>) -> Int? {
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

    /// Where an item begins, by those before it. The first one ends where the picture does, unless its length
    /// is told.
    private static func start(
        of index: Int, in items: [MotionClaims.Item], _ check: MotionVideoCheck
    ) -> Int? {
        guard var first = items.first, index > 0 else { return nil }
        if first.length ?? 0 == 0 { first.length = check.pictureEnd }
        return sum([first] + items[1..<index])
    }

    /// The place of some bytes that end a distance before the end of the file; nil where there is none.
    private static func before(
        _ fileLength: Int, _ behind: Int, _ padding: Int, _ length: Int
    ) -> Range<Int>? {
        let (distance, overflow) = behind.addingReportingOverflow(padding)
        guard !overflow, distance <= fileLength, length <= fileLength - distance else { return nil }
        let end = fileLength - distance
        return end - length..<end
    }

    /// A place that may lie anywhere; nil where there can be none.
    private static func range(_ start: Int, _ length: Int) -> Range<Int>? {
        let (end, overflow) = start.addingReportingOverflow(length)
        return overflow || start < 0 || length < 0 ? nil : start..<end
    }
}
