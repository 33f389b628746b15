// SPDX-License-Identifier: Apache-2.0

import EditingModel
import ImageMetadata
import Testing

/// The image data of TIFF files with unusual values.
@Suite("ranges of image data")
struct ImageDataRangesTests {
    private static func little(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// A gray TIFF of strips that all begin at the same offset.
    private static func tiff(photometry: Int = 1, strips: Int = 1, length: Int = 64) -> [UInt8] {
        let lists = 200
        let entries: [[Int]] = [
            [256, 4, 1, 64], [257, 4, 1, strips], [258, 3, 1, 8], [259, 3, 1, 1],
            [262, 3, 1, photometry], [273, 4, strips, strips == 1 ? 400 : lists], [277, 3, 1, 1],
            [278, 4, 1, 1], [279, 4, strips, strips == 1 ? length : lists + 4 * strips],
        ]
        var bytes = Array("II*\0".utf8) + little(8, 4) + little(entries.count, 2)
        for entry in entries {
            bytes += little(entry[0], 2) + little(entry[1], 2)
            bytes += little(entry[2], 4) + little(entry[3], 4)
        }
        bytes += [UInt8](repeating: 0, count: lists - bytes.count)
        if strips > 1 {
            for _ in 0..<strips { bytes += little(8, 4) }
            for _ in 0..<strips { bytes += little(length, 4) }
        }
        return bytes + [UInt8](repeating: 7, count: 400 + length - min(400, bytes.count))
    }

    private func imageData(_ file: [UInt8]) -> [UInt8]? {
        ImageDataRanges(Bytes(file), .tiff)?.ranges.flatMap { file[$0] }
    }

    @Test("an inverted picture has other image data")
    func photometry() throws {
        let plain = try #require(imageData(Self.tiff()))
        #expect(plain.suffix(64).allSatisfy { $0 == 7 })
        #expect(imageData(Self.tiff(photometry: 0)) != plain)
    }

    @Test("parts that overlap are not image data, because hashing them could take hours")
    func overlap() {
        #expect(imageData(Self.tiff(strips: 64, length: 4096)) == nil)
    }
}
