// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Transforms between colour spaces: `ee_color`.
///
/// Expected values were computed from the formulas of the standards: the chromaticities and curves of IEC 61966-2-1,
/// SMPTE EG 432-1, Adobe RGB (1998), ISO 22028-2 and ITU-R BT.2020, the Bradford adaptation of ICC.1:2010, annex E, to
/// D50 = (0.9642, 1, 0.8249), and L*a*b* of CIE 15.
@Suite("colours of a plug-in")
struct ColorCapabilityTests {
    /// Half a level of 8 bits.
    private static let half = 0.5 / 255

    /// Edits a picture with the plug-in that logs colours, and returns its log without its own name.
    private func log(_ picture: Data, isTrusted: Bool = true) async throws -> [String: String] {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildLayouts(defines: ["COLORS"], in: $0) },
            trusted: isTrusted)
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "layouts")
        await studio.host.shutDown()
        return Self.colors(in: studio.log.lines)
    }

    /// The text after the title of each logged colour.
    private static func colors(in lines: [String]) -> [String: String] {
        let entries = lines.compactMap { line -> (String, String)? in
            let parts = line.components(separatedBy: "color ").dropFirst()
                .joined(separator: "color ").components(separatedBy: ": ")
            return parts.count > 1 ? (parts[0], parts.dropFirst().joined(separator: ": ")) : nil
        }
        return Dictionary(entries) { first, _ in first }
    }

    private static func numbers(_ text: String?) throws -> [Double] {
        let text = try #require(text)
        let numbers = text.split(separator: " ").compactMap { Double($0) }
        try #require(numbers.count == 9 && numbers[0] == 0, "\(text)")
        return Array(numbers.dropFirst())
    }

    private func expect(
        _ text: String?, _ expected: [Double], within tolerance: Double = 1e-4
    ) throws {
        let found = try Self.numbers(text)
        for (own, other) in zip(found, expected) {
            #expect(abs(own - other) <= tolerance, "\(own) is not \(other) in \(found)")
        }
    }

    /// Reads a tag of type XYZType (ICC.1:2010, 7.3 and 10.27).
    private static func column(_ name: String, of profile: [UInt8]) throws -> [Double] {
        func number(_ offset: Int) -> Int {
            profile[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        let entry = try #require(
            (0..<number(128)).map { 132 + $0 * 12 }
                .first { Array(profile[$0..<$0 + 4]) == Array(name.utf8) })
        let start = number(entry + 4) + 8
        return (0..<3).map {
            Double(Int32(truncatingIfNeeded: number(start + $0 * 4))) / 65536
        }
    }

    private static let plain = TestPicture.gradient(width: 33, height: 21)

    @Test("named spaces have the values of their standards", arguments: [true, false])
    func named(isTrusted: Bool) async throws {
        let log = try await log(try Self.plain.encoded(), isTrusted: isTrusted)
        // Of the encoded colour 0.2, 0.5, 0.8: XYZ, L*a*b* and encoded as sRGB.
        let expected: [(String, [Double], [Double], [Double])] = [
            (
                "srgb", [0.183240, 0.197411, 0.452317],
                [51.543186, -3.667583, -47.244433], [0.2, 0.5, 0.8]
            ),
            (
                "display-p3", [0.174412, 0.196348, 0.482373],
                [51.421777, -7.837188, -51.002104], [-0.083083, 0.508138, 0.824214]
            ),
            (
                "adobe-rgb", [0.153727, 0.183972, 0.469620],
                [49.974358, -13.250773, -52.010591], [-0.237867, 0.503993, 0.814735]
            ),
            (
                "prophoto-rgb", [0.103719, 0.220250, 0.551931],
                [54.053539, -64.160871, -54.145418], [-0.585553, 0.617178, 0.871879]
            ),
            (
                "rec-2020", [0.160451, 0.220085, 0.517683],
                [54.035987, -26.860969, -50.479976], [-0.360851, 0.567552, 0.848261]
            ),
        ]
        for (name, xyz, lab, encoded) in expected {
            // Without a name and a profile, the space is sRGB, and linear light has its primaries.
            try expect(log["\(name) to 0"], encoded + [0.25])
            let light = encoded.map { $0 < 0 ? -Self.light(-$0) : Self.light($0) }
            try expect(log["\(name) to 1"], light + [0.25])
            try expect(log["\(name) to 2"], xyz + [0.25])
            try expect(log["\(name) to 3"], lab + [0.25], within: 1e-3)
        }
        // The red of sRGB is 54.29, 80.81, 69.89 in L*a*b*, as in CSS Color, level 4. Alpha is copied.
        let red = try Self.numbers(log["srgb to 3"]).dropFirst(4)
        for (own, other) in zip(red, [54.29, 80.81, 69.89, 7]) {
            #expect(abs(own - other) < 0.01, "\(red)")
        }
        #expect(log["other to 0"]?.hasPrefix("4 there is no profile with this name") == true)
    }

    /// The curve of IEC 61966-2-1.
    private static func light(_ level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
    }

    @Test("values beyond the gamut are kept, and numbers that are not finite become 0")
    func wild() async throws {
        let log = try await log(try Self.plain.encoded())
        try expect(
            log["wild"], [-Self.light(0.5), Self.light(1.5), 0, -1, 1, 1, 1, 0], within: 1e-5)
        // L*a*b* 50, 60, -70: fy = 66 / 116, fx = fy + 60 / 500, fz = fy + 70 / 200, each to the power of 3.
        let y = 66.0 / 116
        let xyz = [
            0.9642 * pow(y + 0.12, 3), pow(y, 3), 0.8249 * pow(y + 0.35, 3), 1, 0.9642, 1, 0.8249,
            1,
        ]
        try expect(log["Lab to XYZ"], xyz, within: 1e-5)
        let failures = [
            "malformed": "4 the bytes are not an ICC profile",
            "short": "4 there is no ee_color_space, or its struct_size is too small",
            "model": "4 there is no such colour model",
        ]
        for (title, message) in failures { #expect(log[title] == message) }
    }

    @Test("a Swift plug-in edits in linear light, and keeps alpha", arguments: [true, false])
    func swift(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildSwift("Dimming", in: $0) }, trusted: isTrusted)
        for bands in [3, 4] {
            let picture = TestPicture.gradient(width: 301, height: 207, bands: bands)
            let asset = try await studio.add(picture)
            try await studio.edit(asset, "dimming")
            var expected = picture
            for index in picture.samples.indices where bands == 3 || index % 4 < 3 {
                let light = Self.light(Double(picture.samples[index]) / 255) * 0.4
                let level =
                    light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
                expected.samples[index] = UInt8((level * 255).rounded())
            }
            #expect(try studio.current(asset) == expected)
        }
        await studio.host.shutDown()
    }

    @Test("the profile of the picture is used, in both directions")
    func picture() async throws {
        let profile = try TestProfile.named("p3")
        let log = try await log(
            try Self.plain.encoded { $0.set("icc-profile-data", to: profile) })
        let linear = [Self.light(0.2), Self.light(0.5), Self.light(0.8), 0.25, 1, 0, 0, 7]
        try expect(log["picture to linear"], linear, within: Self.half / 10)
        let encoded = [0.2, 0.5, 0.8].map { 1.055 * pow($0, 1 / 2.4) - 0.055 }
        try expect(
            log["linear to picture"], encoded + [0.25, 1, 0, 0, 7], within: Self.half / 10)
        // The profile's red, green and blue in XYZ: its red has no Z, which the standard makes slightly negative.
        let columns = try ["rXYZ", "gXYZ", "bXYZ"].map { try Self.column($0, of: profile) }
        let xyz = (0..<3).map { row in zip(columns, linear).map { $0[row] * $1 }.reduce(0, +) }
        try expect(
            log["picture to XYZ"], xyz + [0.25] + columns[0] + [7], within: Self.half / 10)
    }
}
