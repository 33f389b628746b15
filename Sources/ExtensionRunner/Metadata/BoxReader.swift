// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// Finds boxes in files built like ISO base media: JPEG XL, HEIF, AVIF.
struct BoxReader {
    private let bytes: Bytes

    init(_ bytes: Bytes) { self.bytes = bytes }

    /// The contents of the first box that these types lead to, one inside the other.
    func contents(_ path: String...) -> Range<Int>? {
        path.reduce(0..<bytes.count) { range, type in range.flatMap { first(type, in: $0) } }
    }

    private func first(_ type: String, in range: Range<Int>) -> Range<Int>? {
        var place = range.lowerBound
        // More boxes than this at one level are not metadata worth finding.
        for _ in 0..<1000 {
            guard place + 8 <= range.upperBound,
                let short = bytes.number(place, 4, bigEndian: true).map(Int.init)
            else { return nil }
            var header = 8
            var length = short == 0 ? range.upperBound - place : short
            if short == 1 {
                guard let long = bytes.number(place + 8, 8, bigEndian: true) else { return nil }
                header = 16
                length = Int(exactly: long) ?? 0
            }
            guard length >= header, length <= range.upperBound - place else { return nil }
            if bytes.has(type, at: place + 4) { return place + header..<place + length }
            place += length
        }
        return nil
    }

    /// When a sequence of pictures was made, in UTC.
    var movieDate: CaptureDate? {
        guard let range = contents("moov", "mvhd"), range.count >= 20,
            let version = bytes[range.lowerBound],
            let seconds = bytes.number(
                range.lowerBound + 4, version == 1 ? 8 : 4, bigEndian: true),
            seconds > 0, seconds < 1 << 36
        else { return nil }
        // Counted from 1904.
        let date = Date(timeIntervalSince1970: Double(seconds) - 2_082_844_800)
        return CaptureDate(date: date, offset: 0)
    }
}
