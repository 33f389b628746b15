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

    /// The brands that the file says it has, beginning with the major one.
    var brands: [String] {
        guard let range = contents("ftyp") else { return [] }
        // Between the major brand and the others is its version, which is taken for one too.
        return stride(from: range.lowerBound, to: range.upperBound - 3, by: 4).prefix(1024)
            .compactMap { bytes.slice($0, 4).map { String(decoding: $0, as: UTF8.self) } }
    }

    /// A box.
    struct Box {
        let type: String
        /// Where its type lies in the file.
        let typeOffset: Int
        let contents: Range<Int>
    }

    /// The boxes that lie one after the other in a range, up to the first that is not whole.
    func children(of range: Range<Int>) -> some Sequence<Box> {
        // More boxes than this at one level are not metadata worth finding.
        sequence(state: (place: range.lowerBound, count: 0)) { state -> Box? in
            guard state.count < 1 << 16, let box = box(at: state.place, in: range) else {
                return nil
            }
            state = (box.contents.upperBound, state.count + 1)
            return box
        }
    }

    private func box(at place: Int, in range: Range<Int>) -> Box? {
        guard place + 8 <= range.upperBound,
            let short = bytes.number(place, 4, bigEndian: true).map(Int.init),
            let type = bytes.slice(place + 4, 4)
        else { return nil }
        var header = 8
        var length = short == 0 ? range.upperBound - place : short
        if short == 1 {
            guard let long = bytes.number(place + 8, 8, bigEndian: true) else { return nil }
            header = 16
            length = Int(exactly: long) ?? 0
        }
        guard length >= header, length <= range.upperBound - place else { return nil }
        return Box(
            type: String(decoding: type, as: UTF8.self), typeOffset: place + 4,
            contents: place + header..<place + length)
    }

    private func first(_ type: String, in range: Range<Int>) -> Range<Int>? {
        children(of: range).first { $0.type == type }?.contents
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
