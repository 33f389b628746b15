// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import RunnerProtocol

/// Reads boxes of ISO base media files: JPEG XL, HEIF, AVIF.
package struct BoxReader {
    private let bytes: Bytes

    package init(_ bytes: Bytes) { self.bytes = bytes }

    /// Returns the contents of the first box at a path of nested types.
    package func contents(_ path: String...) -> Range<Int>? {
        path.reduce(0..<bytes.count) { range, type in range.flatMap { first(type, in: $0) } }
    }

    /// The brands of the file, the major brand first.
    var brands: [String] {
        guard let range = contents("ftyp") else { return [] }
        // The version after the major brand is read as a brand, too.
        return stride(from: range.lowerBound, to: range.upperBound - 3, by: 4).prefix(1024)
            .compactMap { bytes.slice($0, 4).map { String(decoding: $0, as: UTF8.self) } }
    }

    /// A box in the file.
    struct Box {
        let type: String
        /// The file offset of the type.
        let typeOffset: Int
        let contents: Range<Int>
    }

    /// Returns the boxes in a range in sequence, up to the first truncated one.
    func children(of range: Range<Int>) -> some Sequence<Box> {
        // Bounds the time: no useful metadata has more boxes at one level.
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

    /// The creation date of an image sequence, in UTC.
    package var movieDate: CaptureDate? {
        guard let range = contents("moov", "mvhd"), range.count >= 20,
            let version = bytes[range.lowerBound],
            let seconds = bytes.number(
                range.lowerBound + 4, version == 1 ? 8 : 4, bigEndian: true),
            seconds > 0, seconds < 1 << 36
        else { return nil }
        // Seconds since 1904.
        let date = Date(timeIntervalSince1970: Double(seconds) - 2_082_844_800)
        return CaptureDate(date: date, offset: 0)
    }
}

extension BoxReader.Box {
    /// The range of the whole box, including its header.
    var range: Range<Int> { typeOffset - 4..<contents.upperBound }
}
