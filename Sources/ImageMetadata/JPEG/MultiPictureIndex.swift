// SPDX-License-Identifier: Apache-2.0

/// The index of a JPEG file that contains several pictures: the Multi-Picture Format (CIPA DC-007).
enum MultiPictureIndex {
    /// Returns the segment of the index, updated for a longer first picture.
    ///
    /// - Parameters:
    ///   - segment: The segment with its marker.
    ///   - growth: The growth of the first picture, in bytes.
    ///   - growthAfterIndex: The part of the growth that is after the index, in bytes.
    /// - Returns: The segment, or `nil` if the index is malformed.
    static func moving(_ segment: [UInt8], growth: Int, growthAfterIndex: Int) -> [UInt8]? {
        guard let mark = segment.firstRange(of: Array("MPF\0".utf8)),
            var block = ExifBlock(Array(segment[mark.upperBound...])),
            let entry = block.first?.entry(ExifTag.mpEntry), let list = block.range(of: entry),
            list.upperBound <= block.bytes.count, entry.count % length == 0
        else { return nil }
        for start in stride(from: list.lowerBound, to: list.upperBound, by: length) {
            guard let size = block.number(start + 4, 4), let offset = block.number(start + 8, 4)
            else { return nil }
            // The offset of the first picture is always 0.
            if offset == 0 {
                block.write(size + growth, 4, at: start + 4)
            } else {
                block.write(offset + growthAfterIndex, 4, at: start + 8)
            }
        }
        return segment[..<mark.upperBound] + block.bytes
    }

    private static let length = 16
}
