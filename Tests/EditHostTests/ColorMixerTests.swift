// SPDX-License-Identifier: Apache-2.0

import CColorMixer
import CPictureLight
import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// The pixels of the extension Color Mixer, compared with Oklab's published formulas in double precision.
@Suite("Color Mixer")
struct ColorMixerTests {
    private static func studio() throws -> TestStudio {
        try TestStudio { try TestExtension.assemble("ColorMixer", in: $0) }
    }

    /// The hues and their centres in degrees.
    private static let hues: [(name: String, degrees: Double)] = [
        ("red", 29), ("orange", 62), ("yellow", 107), ("green", 143), ("aqua", 195), ("blue", 260),
        ("purple", 300), ("magenta", 340),
    ]

    /// The value of a slider at a hue: a raised cosine between the two nearest centres.
    private static func value(_ kind: String, at hue: Double, _ values: [String: Double]) -> Double
    {
        let after = hues.firstIndex { $0.degrees > hue } ?? 0
        let (first, second) = (hues[(after + 7) % 8], hues[after])
        let length = (second.degrees - first.degrees + 360).truncatingRemainder(dividingBy: 360)
        let place = (hue - first.degrees + 360).truncatingRemainder(dividingBy: 360)
        let share = (1 - cos(.pi * place / length)) / 2
        return (values[first.name + kind] ?? 0) * (1 - share)
            + (values[second.name + kind] ?? 0) * share
    }

    private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        LightAndColorOracle.product(matrix, vector)
    }

    /// From light to the responses of cones, of which white causes 1.
    private static let cones: [[Double]] = {
        // From XYZ relative to D65, as published. The matrix of the same page for sRGB has other last digits.
        let fromXYZ = [
            [0.8189330101, 0.3618667424, -0.1288597137],
            [0.0329845436, 0.9293118715, 0.0361456387],
            [0.0482003018, 0.2643662691, 0.6338517070],
        ]
        let toXYZ = LightAndColorOracle.Primaries.sRGB.toXYZ
        let columns = (0..<3).map { band in product(fromXYZ, toXYZ.map { $0[band] }) }
        return (0..<3).map { row in
            let responses = columns.map { $0[row] }
            return responses.map { $0 / responses.reduce(0, +) }
        }
    }()

    // From the cube roots of the responses to L, a and b, and back, as published.
    private static let lab = [
        [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
    private static let roots = [
        [1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728],
        [1, -0.0894841775, -1.2914855480],
    ]

    /// The encoded values of an edited pixel.
    private static func edited(
        _ pixel: [Double], _ values: [String: Double], isGray: Bool
    ) -> [Double] {
        let responses = product(cones, pixel.map(LightAndColorOracle.light))
        let color = product(lab, responses.map { cbrt($0) })
        var hue = atan2(color[2], color[1]) * 180 / .pi
        if hue < 0 { hue += 360 }
        let chroma = color[1] * color[1] + color[2] * color[2]
        let change =
            isGray
            ? 0.5 * value("Weight", at: hue, values) : 0.3 * value("Lightness", at: hue, values)
        let lightness = color[0] * (1 + change * chroma / (chroma + 0.0016))
        let factor = isGray ? 0 : 1 + value("Saturation", at: hue, values)
        let angle = value("Hue", at: hue, values) * 30 * .pi / 180
        let a = factor * (color[1] * cos(angle) - color[2] * sin(angle))
        let b = factor * (color[1] * sin(angle) + color[2] * cos(angle))
        let changed = product(roots, [lightness, a, b]).map { $0 * $0 * $0 }
        return LightAndColorOracle.solution(of: cones, changed).map(LightAndColorOracle.encoded)
    }

    private static let edits: [[String: Double]] = [
        ["redHue": 1], ["blueSaturation": -1, "greenSaturation": 1],
        ["yellowLightness": 1, "aquaLightness": -1],
        [
            "magentaHue": -0.7, "purpleLightness": 0.4, "orangeSaturation": 0.6,
            "redLightness": -0.3,
        ],
        ["redWeight": 0.8, "blueWeight": -1, "greenWeight": 0.2],
    ]

    @Test(
        "hues change by their sliders, within half a level of 8 bits and 4 of 16",
        arguments: [false, true])
    func formulas(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let greatest = isDeep ? 65535 : 255
        let before = LightAndColorTests.samples(width: 40, height: 30, bands: 4, greatest: greatest)
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: 40, bands: 4, isDeep: isDeep)))
        for values in Self.edits {
            let isGray = values["redWeight"] != nil
            var set = values.mapValues { "\($0)" }
            if isGray { set["blackAndWhite"] = "true" }
            try await studio.edit(asset, "colormixer", set, reset: true)
            let after = try LightAndColorTests.current(asset, in: studio)
            try #require(after.count == before.count)
            var largest = 0.0
            for pixel in stride(from: 0, to: before.count, by: 4) {
                let expected = Self.edited(
                    before[pixel..<pixel + 3].map { Double($0) / Double(greatest) }, values,
                    isGray: isGray)
                for band in 0..<3 {
                    let level = expected[band] * Double(greatest)
                    largest = max(largest, abs(Double(after[pixel + band]) - level))
                }
                #expect(after[pixel + 3] == before[pixel + 3], "alpha has changed")
            }
            #expect(largest <= (isDeep ? 4 : 0.53), "\(values): \(largest) levels off")
        }
        await studio.host.shutDown()
    }

    @Test("neutral values return the input exactly, and gray stays gray")
    func neutral() async throws {
        let studio = try Self.studio()
        let picture = TestPicture.gradient(bands: 4)
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "colormixer", ["redHue": "0"])
        #expect(try studio.current(asset) == picture)
        var levels: [UInt8] = []
        for level in UInt8.min...UInt8.max { levels += [level, level, level] }
        let ramp = TestPicture(width: 256, height: 1, bands: 3, samples: levels)
        let gray = try await studio.add(ramp)
        try await studio.edit(
            gray, "colormixer", ["redHue": "1", "greenSaturation": "1", "blueLightness": "1"])
        #expect(try studio.current(gray) == ramp)
        await studio.host.shutDown()
    }

    @Test("black and white is gray in 8 and 16 bits", arguments: [false, true])
    func gray(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let before = LightAndColorTests.samples(
            width: 40, height: 30, bands: 3, greatest: isDeep ? 65535 : 255)
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: 40, bands: 3, isDeep: isDeep)))
        try await studio.edit(
            asset, "colormixer", ["blackAndWhite": "true", "blueWeight": "-0.5"])
        let after = try LightAndColorTests.current(asset, in: studio)
        var largest = 0
        for pixel in stride(from: 0, to: after.count, by: 3) {
            let levels = after[pixel..<pixel + 3].map { Int($0) }
            largest = max(largest, (levels.max() ?? 0) - (levels.min() ?? 0))
        }
        // Single precision, rounded: neighbouring levels of 16 bits.
        #expect(largest <= (isDeep ? 1 : 0), "\(largest)")
        await studio.host.shutDown()
    }

    @Test("a tint tones black and white")
    func tint() async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(.gradient())
        try await studio.edit(
            asset, "colormixer", ["blackAndWhite": "true", "tint": "#a08050"])
        let toned = try studio.current(asset).samples
        var warm = 0
        for pixel in stride(from: 0, to: toned.count, by: 3) {
            let (red, green, blue) = (toned[pixel], toned[pixel + 1], toned[pixel + 2])
            if red > green, green > blue { warm += 1 }
        }
        #expect(warm > toned.count / 3 * 9 / 10)
        await studio.host.shutDown()
    }

    @Test("with and without AVX2, and in all tiles, the bytes are the same", arguments: [3, 4])
    func bytes(bands: Int) throws {
        for levels in [256, 65536] {
            let edit = try #require(cm_edit_make(Int32(levels)))
            defer { cm_edit_free(edit) }
            for table in [
                edit.pointee.curves.light.0, edit.pointee.curves.light.1,
                edit.pointee.curves.light.2,
            ] {
                for level in 0..<levels {
                    table?[level] = Float(level * level) / Float((levels - 1) * (levels - 1))
                }
            }
            for table in [
                edit.pointee.curves.encoding.0, edit.pointee.curves.encoding.1,
                edit.pointee.curves.encoding.2,
            ] {
                for part in 0..<Int(PL_ENCODING_PARTS) {
                    table?[part] = pl_part(value: 0.1, slope: 0.8)
                }
            }
            edit.pointee.to_cones = (0.4, 0.5, 0.1, 0.2, 0.7, 0.1, 0.1, 0.3, 0.6)
            edit.pointee.from_cones = (4, -3.2, 0.2, -1.2, 2.6, -0.4, 0, -0.7, 1.7)
            withUnsafeMutableBytes(of: &edit.pointee.changes) { memory in
                let changes = memory.bindMemory(to: cm_change.self)
                for index in changes.indices {
                    let wave = Float(index % 97) / 97
                    changes[index] = cm_change(
                        along: 0.5 + wave, across: wave - 0.4, lightness: wave)
                }
            }
            edit.pointee.tint = (0.02, -0.03)
            let kernel = RowKernel(edit: edit, row: cm_row, plain: cm_plain_row)
            if levels == 256 {
                kernel.expectSameBytes(UInt8.self, width: 600, height: 5, bands: bands)
            } else {
                kernel.expectSameBytes(UInt16.self, width: 600, height: 5, bands: bands)
            }
        }
    }
}
