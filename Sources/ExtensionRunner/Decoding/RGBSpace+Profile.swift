// SPDX-License-Identifier: Apache-2.0

import EditingModel
import ImageMetadata

extension RGBSpace {
    /// Returns an ICC profile of the space (ICC.1:2010, version 4.3); `nil` if its chromaticities are degenerate.
    ///
    /// Equal spaces have identical profiles. Display P3 has the bytes of its named profile.
    func profile() throws -> [UInt8]? {
        if self == RGBSpace(Self.displayP3, curve: .sRGB) {
            return try NamedProfile.bytes(.displayP3, original: nil)
        }
        guard let columns, let adapting else { return nil }
        let curve = Self.padded(Self.element("para", curveParameters))
        let tags: [(String, [UInt8])] = [
            ("desc", Self.text("RGB")), ("cprt", Self.text("CC0")), ("wtpt", Self.xyz(Self.d50)),
            ("chad", Self.element("sf32", adapting.joined().flatMap(Self.fixed))),
            ("rXYZ", Self.xyz(columns[0])), ("gXYZ", Self.xyz(columns[1])),
            ("bXYZ", Self.xyz(columns[2])), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
        ]
        let start = Self.headerLength + 4 + tags.count * 12
        var table = Self.number(tags.count, 4)
        var contents: [UInt8] = []
        var place = start
        for (name, value) in tags {
            // The three curves share one element.
            if name != "gTRC", name != "bTRC" {
                place = start + contents.count
                contents += Self.padded(value)
            }
            table += name.utf8 + Self.number(place, 4) + Self.number(value.count, 4)
        }
        return Self.header(length: start + contents.count) + table + contents
    }

    private static let headerLength = 128

    private static func header(length: Int) -> [UInt8] {
        var header = number(length, 4) + [0, 0, 0, 0] + number(0x0430_0000, 4)
        header += Array("mntrRGB XYZ ".utf8)
        header += [2026, 1, 1, 0, 0, 0].flatMap { number($0, 2) }
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        header += d50.flatMap(fixed)
        return header + [UInt8](repeating: 0, count: headerLength - header.count)
    }

    /// The function type, two reserved bytes, and the parameters of the curve.
    private var curveParameters: [UInt8] {
        switch curve {
        case .gamma(let gamma): [0, 0, 0, 0] + Self.fixed(gamma)
        case .sRGB:
            [0, 3, 0, 0]
                + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(Self.fixed)
        }
    }

    private static func element(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        Array(type.utf8) + [0, 0, 0, 0] + contents
    }

    private static func xyz(_ values: [Double]) -> [UInt8] {
        element("XYZ ", values.flatMap(fixed))
    }

    private static func text(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { number(Int($0), 2) }
        return element(
            "mluc",
            number(1, 4) + number(12, 4) + Array("enUS".utf8) + number(units.count, 4)
                + number(28, 4) + units)
    }

    /// Encodes a number in fixed point with 16 fractional bits.
    private static func fixed(_ value: Double) -> [UInt8] {
        let scaled = Int32(exactly: (value * 65536).rounded()) ?? 0
        return number(Int(scaled), 4)
    }

    private static func number(_ value: Int, _ length: Int) -> [UInt8] {
        TIFFWriter.bytes(value, length).reversed()
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
}
