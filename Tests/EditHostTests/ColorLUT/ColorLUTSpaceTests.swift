// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing
import Vips

/// The colour spaces that tables expect.
@Suite("colour spaces of Color LUT")
struct ColorLUTSpaceTests {
    /// Red, green and blue in light between 0 and 1, with white at D65, to XYZ.
    private struct Space {
        let toXYZ: [[Double]]
        let light: @Sendable (Double) -> Double
        let encoded: @Sendable (Double) -> Double
    }

    /// IEC 61966-2-1. Negative values are mirrored.
    private static let sRGB = Space(
        toXYZ: [
            [0.4123907993, 0.3575843394, 0.1804807884],
            [0.2126390059, 0.7151686788, 0.0721923154],
            [0.0193308187, 0.1191947798, 0.9505321522],
        ],
        light: { level in
            let v = abs(level)
            return (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)) * (level < 0 ? -1 : 1)
        },
        encoded: { light in
            let v = abs(light)
            return (v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055)
                * (light < 0 ? -1 : 1)
        })

    /// SMPTE EG 432-1's primaries with the white D65, and the curve of sRGB.
    private static let displayP3 = Space(
        toXYZ: [
            [0.4865709486, 0.2656676932, 0.1982172852],
            [0.2289745641, 0.6917385218, 0.0792869141],
            [0.0000000000, 0.0451133819, 1.0439443689],
        ], light: sRGB.light, encoded: sRGB.encoded)

    /// Adobe RGB (1998), 4.3.
    private static let adobeRGB = Space(
        toXYZ: [
            [0.5766690429, 0.1855582379, 0.1882286462],
            [0.2973449753, 0.6273635663, 0.0752914585],
            [0.0270313614, 0.0706888525, 0.9913375368],
        ],
        light: { pow(abs($0), 563.0 / 256) * ($0 < 0 ? -1 : 1) },
        encoded: { pow(abs($0), 256.0 / 563) * ($0 < 0 ? -1 : 1) })

    private static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// Cramer's rule.
    private static func solution(of matrix: [[Double]], _ right: [Double]) -> [Double] {
        func determinant(_ m: [[Double]]) -> Double {
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        }
        return (0..<3).map { column in
            var changed = matrix
            for row in 0..<3 { changed[row][column] = right[row] }
            return determinant(changed) / determinant(matrix)
        }
    }

    private static func converted(_ color: [Double], from: Space, to: Space) -> [Double] {
        solution(of: to.toXYZ, product(from.toXYZ, color.map(from.light))).map(to.encoded)
    }

    @Test("a picture is converted to the table's space and back")
    func spaces() async throws {
        let studio = try ColorLUTTests.studio()
        let (picture, before) = try ColorLUTTests.picture(isDeep: true)
        let asset = try await studio.add(picture)
        let oracle = ColorLUTOracle.cube(size: 5) { [1.1 - $0[1], 0.8 * $0[0], $0[2] * $0[2]] }
        let path = try studio.folder.write(Data(oracle.text.utf8), to: "look.cube")
        for (name, space) in [("display-p3", Self.displayP3), ("adobe-rgb", Self.adobeRGB)] {
            let largest = try await ColorLUTTests.difference(
                studio, asset, before, isDeep: true,
                ["lut": path, "space": name, "amount": "0.6"]
            ) { color in
                let inSpace = Self.converted(color, from: Self.sRGB, to: space)
                let edited = ColorLUTTests.mixed(inSpace, oracle.color(inSpace), 0.6)
                return Self.converted(edited, from: space, to: Self.sRGB)
            }
            #expect(largest <= 4, "\(name): \(largest) levels off")
        }
        await studio.host.shutDown()
    }

    @Test("with video levels, black is 16 of 255 and white is 235")
    func videoLevels() async throws {
        let studio = try ColorLUTTests.studio()
        let (picture, before) = try ColorLUTTests.picture(isDeep: true)
        let asset = try await studio.add(picture)
        let oracle = ColorLUTOracle.cube(size: 5) { [1 - $0[1], $0[0], $0[2] * $0[2]] }
        let path = try studio.folder.write(Data(oracle.text.utf8), to: "look.cube")
        let largest = try await ColorLUTTests.difference(
            studio, asset, before, isDeep: true, ["lut": path, "space": "rec-709"]
        ) { color in
            oracle.color(color.map { (16 + 219 * $0) / 255 }).map { (255 * $0 - 16) / 219 }
        }
        #expect(largest <= 4, "\(largest) levels off")
        await studio.host.shutDown()
    }

    @Test("colours outside the table's space are clipped, and the log has their number")
    func clipping() async throws {
        let studio = try ColorLUTTests.studio()
        let samples: [UInt16] = [255, 0, 0, 128, 128, 128, 0, 255, 0, 40, 50, 60]
        let image = try LightAndColorTests.image(samples, width: 4, bands: 3, isDeep: false)
            .copying { $0.set("icc-profile-data", to: try TestProfile.named("p3")) }
        let asset = try await studio.add(LightAndColorTests.png(image))
        let identity = try studio.folder.write(
            Data(ColorLUTOracle.cube(size: 2) { $0 }.text.utf8), to: "identity.cube")
        try await studio.edit(asset, "colorlut", ["lut": identity, "space": "display-p3"])
        #expect(try LightAndColorTests.current(asset, in: studio) == samples)
        #expect(!studio.log.lines.contains { $0.contains("clipped") })
        try await studio.edit(asset, "colorlut", ["lut": identity, "space": "srgb"], reset: true)
        let after = try LightAndColorTests.current(asset, in: studio).map { Double($0) / 255 }
        for pixel in 0..<4 {
            let before = samples[3 * pixel..<3 * pixel + 3].map { Double($0) / 255 }
            let inside = Self.converted(before, from: Self.displayP3, to: Self.sRGB)
                .map { min(max($0, 0), 1) }
            let expected = Self.converted(inside, from: Self.sRGB, to: Self.displayP3)
            for band in 0..<3 {
                let off = abs(after[3 * pixel + band] - expected[band]) * 255
                // The profile's primaries are rounded. Without clipping, the red pixel would be 35 levels off.
                #expect(off <= 2, "\(pixel): \(after) is not \(expected)")
            }
        }
        try await studio.log.wait { $0.contains("2 pixels outside sRGB were clipped") }
        await studio.host.shutDown()
    }

    @Test("a profile of the same space with other bytes needs no conversion")
    func sameSpace() async throws {
        let studio = try ColorLUTTests.studio()
        let (picture, before) = try ColorLUTTests.picture(
            isDeep: true, profile: TestProfile.named("srgb"))
        let asset = try await studio.add(picture)
        let oracle = ColorLUTOracle.random(size: 4, seed: 6)
        let path = try studio.folder.write(Data(oracle.text.utf8), to: "look.cube")
        let largest = try await ColorLUTTests.difference(
            studio, asset, before, isDeep: true, ["lut": path]
        ) { oracle.color($0) }
        #expect(largest <= 4, "\(largest) levels off")
        await studio.host.shutDown()
    }
}
