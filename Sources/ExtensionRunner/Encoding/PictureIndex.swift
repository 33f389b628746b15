// SPDX-License-Identifier: Apache-2.0

/// The index of a JPEG file with several pictures in it: the Multi-Picture Format (CIPA DC-007).
enum PictureIndex {
    /// The segment of the index after the first picture has grown.
    ///
    /// - Parameters:
    ///   - segment: With its marker.
    ///   - growth: How much longer the first picture has become, in bytes.
    ///   - growthBehind: How much of that lies behind the index.
    /// - Returns: nil where it cannot be understood.
    static func moving(_ segment: [UInt8], growth: Int, growthBehind: Int) -> [UInt8]? {
        guard let mark = segment.firstRange(of: Array("MPF\0".utf8)),
            var block = ExifBlock(Array(segment[mark.upperBound...])),
            let entry = block.first?.entry(entries), let list = block.range(of: entry),
            list.upperBound <= block.bytes.count, entry.count % length == 0
        else { return nil }
        for start in stride(from: list.lowerBound, to: list.upperBound, by: length) {
            guard let size = block.number(start + 4, 4), let offset = block.number(start + 8, 4)
            else { return nil }
            // That of the first one is 0: it begins with the file.
            if offset == 0 {
                block.write(size + growth, 4, at: start + 4)
            } else {
                block.write(offset + growthBehind, 4, at: start + 8)
            }
        }
        return segment[..<mark.upperBound] + block.bytes
    }

    /// The tag of the list of pictures, and the length of what it says of one.
    private static let entries = 0xB002
    private static let length = 16
}
