// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import RunnerProtocol

/// Reads boxes of JPEG XL, HEIF and AVIF files, up to the first malformed one.
package struct BoxReader {
    private let bytes: Bytes

    package init(_ bytes: Bytes) { self.bytes = bytes }

    /// Returns the contents of the first box at a path of nested types.
    package func contents(_ path: BoxType...) -> Range<Int>? {
        path.reduce(0..<bytes.count) { range, type in range.flatMap { first(type, in: $0) } }
    }

    /// The brands of the file, starting with the major brand.
    var brands: [String] {
        guard let range = contents("ftyp") else { return [] }
        // The version after the major brand is also read as a brand.
        return stride(from: range.lowerBound, to: range.upperBound - 3, by: 4).prefix(1024)
            .compactMap { bytes.slice($0, 4).map { String(decoding: $0, as: UTF8.self) } }
    }

    /// Returns the boxes in a range in sequence, up to the first truncated one.
    func children(of range: Range<Int>) -> some Sequence<Box> {
        // This limits the time. No useful metadata has more boxes at one level.
        sequence(state: (position: range.lowerBound, count: 0)) { state -> Box? in
            guard state.count < 1 << 16, let box = box(at: state.position, in: range) else {
                return nil
            }
            state = (box.contents.upperBound, state.count + 1)
            return box
        }
    }

    private func box(at position: Int, in range: Range<Int>) -> Box? {
        let rest = range.upperBound - position
        guard rest >= 8,
            let header = BoxHeader({ bytes.number(position + $0, $1, bigEndian: true) }),
            let length = header.boxLength.map({ Int(exactly: $0) }) ?? rest,
            length >= header.length, length <= rest
        else { return nil }
        return Box(
            type: header.type, range: position..<position + length,
            contents: position + header.length..<position + length)
    }

    private func first(_ type: BoxType, in range: Range<Int>) -> Range<Int>? {
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
        // The date is stored in seconds since 1904.
        let date = Date(timeIntervalSince1970: Double(seconds) - 2_082_844_800)
        return CaptureDate(date: date, offset: 0)
    }
}
