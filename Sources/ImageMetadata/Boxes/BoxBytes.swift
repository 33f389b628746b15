// SPDX-License-Identifier: Apache-2.0

/// The bytes of a QuickTime file that contain boxes, with big-endian numbers. In contrast to ``BoxReader``, a malformed
/// box is an error. Out-of-range reads throw an error and never trap.
struct BoxBytes: Sendable {
    let bytes: [UInt8]

    /// The maximum number of sibling boxes. If there are more, an error is thrown.
    static let maximumBoxes = 1 << 10

    var range: Range<Int> { bytes.indices }

    // MARK: - Numbers

    /// Returns an unsigned number of 1 to 8 bytes at an offset in a range. The number must be within the range.
    func number(_ count: Int, at offset: Int, in range: Range<Int>) throws(MovieError) -> UInt64 {
        guard offset >= 0, (1...8).contains(count), offset <= range.count,
            count <= range.count - offset, range.upperBound <= bytes.count
        else { throw .damaged("a box ends too early") }
        let start = range.lowerBound + offset
        return bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    func uint32(at offset: Int, in range: Range<Int>) throws(MovieError) -> UInt32 {
        UInt32(truncatingIfNeeded: try number(4, at: offset, in: range))
    }

    func type(at offset: Int, in range: Range<Int>) throws(MovieError) -> BoxType {
        BoxType(rawValue: try uint32(at: offset, in: range))
    }

    /// Returns the declared number of entries of a table.
    ///
    /// - Parameters:
    ///   - offset: The offset of the 32-bit count, which precedes the entries.
    ///   - width: The size of an entry in bytes.
    ///   - limit: The maximum count.
    /// - Throws: `damaged`, or `tooLarge` if the count exceeds the limit.
    func entryCount(
        at offset: Int, width: Int, limit: Int, in table: Box
    ) throws(MovieError) -> Int {
        let count = Int(try uint32(at: offset, in: table.contents))
        guard count <= (table.contents.count - offset - 4) / width else {
            throw .damaged("the box \(table.type) declares too many entries: \(count)")
        }
        guard count <= limit else {
            throw MovieError(.tooLarge, "the box \(table.type) has \(count) entries")
        }
        return count
    }

    // MARK: - Boxes

    /// Returns the boxes that fill a range. Up to seven trailing zeros are accepted, as at the end of user
    /// data.
    func boxes(in range: Range<Int>) throws(MovieError) -> [Box] {
        var boxes: [Box] = []
        var position = range.lowerBound
        while range.upperBound - position >= 8 {
            let box = try box(at: position, in: range)
            guard boxes.count < Self.maximumBoxes else {
                throw MovieError(.tooLarge, "too many boxes on one level")
            }
            boxes.append(box)
            position = box.range.upperBound
        }
        guard bytes[position..<range.upperBound].allSatisfy({ $0 == 0 }) else {
            throw .damaged("there are other bytes after the last box")
        }
        return boxes
    }

    private func box(at position: Int, in range: Range<Int>) throws(MovieError) -> Box {
        let rest = position..<range.upperBound
        let header = try header(in: rest)
        guard let length = header.boxLength.flatMap({ Int(exactly: $0) }), length >= header.length,
            length <= rest.count
        else { throw .damaged("the box \(header.type) has an invalid size") }
        return Box(
            type: header.type, range: position..<position + length,
            contents: position + header.length..<position + length)
    }

    /// Returns the header at the start of a range.
    func header(in range: Range<Int>) throws(MovieError) -> BoxHeader {
        guard let header = BoxHeader({ try? number($1, at: $0, in: range) }) else {
            throw .damaged("a box ends too early")
        }
        return header
    }

    /// Returns the child boxes of a box.
    func children(of box: Box) throws(MovieError) -> BoxList {
        BoxList(parent: box.type, boxes: try boxes(in: box.contents))
    }
}
