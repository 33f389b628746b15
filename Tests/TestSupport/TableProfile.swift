// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An ICC profile that describes its colours with a table and is no matrix: mixtures of two primaries are darker than
/// their sum. Also its formula.
public enum TableProfile {
    /// The numbers from samples to light, with a gamma of 2.2.
    private static let curve = (0...255).map { level in
        UInt16((65535 * pow(Double(level) / 255, 2.2)).rounded())
    }

    /// XYZ relative to D50 of black, blue, green, cyan, red, magenta, yellow and white, in units of 1/32768.
    private static let corners: [[UInt16]] = (0..<8).map { corner in
        let isMixed = [3, 5, 6].contains(corner)
        return (0..<3).map { row in
            var sum = 0.0
            for band in 0..<3 where corner & 4 >> band != 0 { sum += primaries[row][band] }
            return UInt16((sum * (isMixed ? 0.85 : 1) * 32768).rounded())
        }
    }

    /// Close to those of Display P3. The rows add up to D50.
    private static let primaries = [
        [0.5151, 0.2920, 0.1571], [0.2412, 0.6922, 0.0666], [0, 0.0419, 0.7830],
    ]

    /// The bytes of the profile.
    public static let bytes: [UInt8] = {
        let tags: [(name: String, data: [UInt8])] = [
            ("desc", text("desc", prefix: number(6), "Table") + [UInt8](repeating: 0, count: 78)),
            ("cprt", text("text", "CC0")), ("wtpt", Array("XYZ \0\0\0\0".utf8) + white),
            ("A2B0", table),
        ]
        let start = 132 + 12 * tags.count
        var (entries, data) = (number(tags.count), [UInt8]())
        for tag in tags {
            entries += Array(tag.name.utf8) + number(start + data.count) + number(tag.data.count)
            data += tag.data + [UInt8](repeating: 0, count: (4 - tag.data.count % 4) % 4)
        }
        var header = [UInt8](repeating: 0, count: 128)
        func set(_ bytes: [UInt8], at place: Int) {
            header.replaceSubrange(place..<place + bytes.count, with: bytes)
        }
        set(number(start + data.count), at: 0)
        set([2, 0x40], at: 8)
        set(Array("mntrRGB XYZ ".utf8), at: 12)
        set(Array("acsp".utf8), at: 36)
        set(white, at: 68)
        return header + entries + data
    }()

    /// An element of the type `mft2` (ICC.1:2010, 10.10): the identity matrix, curves, the table, and curves of two points.
    private static var table: [UInt8] {
        var bytes = Array("mft2\0\0\0\0".utf8) + [3, 3, 2, 0]
        for place in 0..<9 { bytes += number(place % 4 == 0 ? 65536 : 0) }
        var words: [UInt16] = [256, 2]
        for _ in 0..<3 { words += curve }
        for corner in corners { words += corner }
        for _ in 0..<3 { words += [0, 65535] }
        for word in words { bytes += [UInt8(word >> 8), UInt8(word & 255)] }
        return bytes
    }

    private static let white = number(0xF6D6) + number(65536) + number(0xD32D)

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func text(_ type: String, prefix: [UInt8] = [], _ text: String) -> [UInt8] {
        Array("\(type)\0\0\0\0".utf8) + prefix + Array("\(text)\0".utf8)
    }

    // MARK: - The formula

    /// Returns the light in ProPhoto RGB of a pixel with 8 bits, by tetrahedral interpolation in the table.
    public static func light(of pixel: [UInt8]) -> [Double] {
        let inputs = pixel.map { Double(curve[Int($0)]) / 65535 }
        var (corner, rest) = (0, 1.0)
        var xyz = [0.0, 0, 0]
        // From black along the edges of the cube, with the greatest input first.
        for band in [0, 1, 2].sorted(by: { inputs[$0] > inputs[$1] }) {
            for row in 0..<3 {
                xyz[row] += (rest - inputs[band]) * Double(corners[corner][row]) / 32768
            }
            rest = inputs[band]
            corner |= 4 >> band
        }
        for row in 0..<3 { xyz[row] += rest * Double(corners[corner][row]) / 32768 }
        return toLight.map { $0[0] * xyz[0] + $0[1] * xyz[1] + $0[2] * xyz[2] }
    }

    /// Returns the encoded value of light in ProPhoto RGB, 0...1.
    public static func encoded(_ light: Double) -> Double {
        pow(min(max(light, 0), 1), 256.0 / 461)
    }

    /// From XYZ relative to D50 to light in ProPhoto RGB, by the primaries of ISO 22028-2.
    private static let toLight = [
        [1.34595821, -0.25561034, -0.05111233], [-0.54459640, 1.50816049, 0.02053505],
        [0, 0, 1.21226815],
    ]
    /// The shares of red, green and blue in luminance: a row of the inverse.
    public static let luminance = [0.28803705, 0.71187732, 0.00008563]
}
