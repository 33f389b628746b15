// SPDX-License-Identifier: Apache-2.0

import CPictureLight
import CVignette
import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// The pixels of the extension Vignette, compared with its formula in double precision.
@Suite("Vignette")
struct VignetteTests {
    private static func studio() throws -> TestStudio {
        try TestStudio { try TestExtension.assemble("Vignette", in: $0) }
    }

    /// The values of an edit.
    private struct Values {
        var amount = -1.0
        var radius = 0.7
        var softness = 0.8
        var roundness = 0.0
        var center = (x: 0.5, y: 0.5)

        var set: [String: String] {
            [
                "amount": "\(amount)", "radius": "\(radius)", "softness": "\(softness)",
                "roundness": "\(roundness)", "center": "\(center.x),\(center.y)",
            ]
        }

        /// The factor for the light of a pixel.
        func gain(x: Int, y: Int, width: Int, height: Int) -> Double {
            let right = Double(x) + 0.5 - center.x * Double(width)
            let down = Double(y) + 0.5 - center.y * Double(height)
            let diagonal = hypot(Double(width), Double(height))
            // The ellipse and the circle through the corners.
            let across = right / (Double(width) / 2.0.squareRoot())
            let along = down / (Double(height) / 2.0.squareRoot())
            let ellipse = across * across + along * along
            let circle = (right * right + down * down) / (diagonal * diagonal / 4)
            let distance = (ellipse + (circle - ellipse) * roundness).squareRoot()
            let length = max(softness, 2 / diagonal)
            let place = min(max((distance - radius + length / 2) / length, 0), 1)
            return exp2(2 * amount * (3 * place * place - 2 * place * place * place))
        }
    }

    private static let edits = [
        Values(), Values(amount: 1), Values(amount: -0.35, radius: 0.5, softness: 0.3),
        Values(amount: 0.4, roundness: 1), Values(radius: 0.3, softness: 1, roundness: 0.5),
        Values(amount: -0.8, center: (0, 1)), Values(amount: -0.6, center: (0.2, 0.7)),
        Values(radius: 0, softness: 0), Values(radius: 1, softness: 0.5),
    ]

    /// The levels of a pixel after the edit. A gain makes no value greater than white.
    private static func edited(_ pixel: [Double], gain: Double) -> [Double] {
        let light = pixel.map(LightAndColorOracle.light)
        let most = light.max() ?? 0
        let factor = most > 0 ? min(gain, 1 / most) : gain
        return light.map { LightAndColorOracle.encoded($0 * factor) }
    }

    @Test(
        "pixels follow the formula, within half a level of 8 bits and 3 of 16",
        arguments: [false, true])
    func formula(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let (width, height, greatest) = (60, 44, isDeep ? 65535 : 255)
        let before = LightAndColorTests.samples(
            width: width, height: height, bands: 4, greatest: greatest)
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: width, bands: 4, isDeep: isDeep)))
        for values in Self.edits {
            try await studio.edit(asset, "vignette", values.set, reset: true)
            let after = try LightAndColorTests.current(asset, in: studio)
            try #require(after.count == before.count)
            var largest = 0.0
            for pixel in 0..<width * height {
                let gain = values.gain(
                    x: pixel % width, y: pixel / width, width: width, height: height)
                let levels = before[4 * pixel..<4 * pixel + 4]
                let expected = Self.edited(
                    levels.prefix(3).map { Double($0) / Double(greatest) }, gain: gain)
                for band in 0..<3 {
                    let level = expected[band] * Double(greatest)
                    largest = max(largest, abs(Double(after[4 * pixel + band]) - level))
                }
                #expect(after[4 * pixel + 3] == before[4 * pixel + 3], "alpha has changed")
                if gain == 1 { #expect(Array(after[4 * pixel..<4 * pixel + 4]) == Array(levels)) }
            }
            #expect(largest <= (isDeep ? 3 : 0.51), "\(values): \(largest) levels off")
        }
        await studio.host.shutDown()
    }

    @Test("lightening and darkening keep the proportions of red, green and blue in light")
    func hue() async throws {
        let studio = try Self.studio()
        let (width, height) = (80, 60)
        var before: [UInt16] = []
        for _ in 0..<width * height { before += [60000, 42000, 25000] }
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: width, bands: 3, isDeep: true)))
        let wanted = [60000, 42000, 25000.0].map { LightAndColorOracle.light($0 / 65535) }
        for amount in [-1.0, 1] {
            try await studio.edit(
                asset, "vignette", Values(amount: amount, radius: 0.2).set, reset: true)
            let after = try LightAndColorTests.current(asset, in: studio)
            var largest = 0.0
            for pixel in 0..<width * height {
                let light = after[3 * pixel..<3 * pixel + 3].map {
                    LightAndColorOracle.light(Double($0) / 65535)
                }
                for band in 1..<3 {
                    largest = max(
                        largest, abs(light[band] / light[0] - wanted[band] / wanted[0]))
                }
            }
            #expect(after != before && largest < 2e-4, "\(amount): \(largest)")
        }
        await studio.host.shutDown()
    }

    @Test("an amount of 0 returns the input exactly", arguments: [false, true])
    func neutral(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let before = LightAndColorTests.samples(
            width: 40, height: 30, bands: 4, greatest: isDeep ? 65535 : 255)
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: 40, bands: 4, isDeep: isDeep)))
        try await studio.edit(asset, "vignette", ["amount": "0", "radius": "0.2"])
        #expect(try LightAndColorTests.current(asset, in: studio) == before)
        await studio.host.shutDown()
    }

    @Test("a smaller picture gets the reduction of the edited large one, within 2 levels")
    func scale() async throws {
        let studio = try Self.studio()
        let (width, height, factor) = (240, 160, 4)
        // Smooth, so that the reduction in encoded values is that in light.
        func gradient(_ width: Int, _ height: Int) -> [UInt16] {
            var samples: [UInt16] = []
            for pixel in 0..<width * height {
                let x = (Double(pixel % width) + 0.5) / Double(width)
                let y = (Double(pixel / width) + 0.5) / Double(height)
                for level in [60 + 120 * x, 90 + 100 * y, 200 - 80 * x * y] {
                    samples.append(UInt16(level.rounded()))
                }
            }
            return samples
        }
        func edited(_ width: Int, _ height: Int) async throws -> [UInt16] {
            let asset = try await studio.add(
                LightAndColorTests.png(
                    LightAndColorTests.image(
                        gradient(width, height), width: width, bands: 3, isDeep: false)))
            try await studio.edit(asset, "vignette", Values(roundness: 0.5).set)
            return try LightAndColorTests.current(asset, in: studio)
        }
        let large = try await edited(width, height)
        let small = try await edited(width / factor, height / factor)
        let difference = try #require(
            small.largestDifference(fromReductionOf: large, width: width, factor: factor))
        #expect(difference <= 2)
        await studio.host.shutDown()
    }

    @Test("with and without AVX2, and in all tiles, the bytes are the same", arguments: [3, 4])
    func bytes(bands: Int) throws {
        let (width, height) = (600, 5)
        for levels in [256, 65536] {
            let edit = try #require(vg_edit_make(Int32(levels), Int32(width)))
            defer { vg_edit_free(edit) }
            let curves = edit.pointee.curves
            for table in [curves.light.0, curves.light.1, curves.light.2] {
                for level in 0..<levels {
                    table?[level] = Float(level * level) / Float((levels - 1) * (levels - 1))
                }
            }
            for table in [curves.encoding.0, curves.encoding.1, curves.encoding.2] {
                for part in 0..<Int(PL_ENCODING_PARTS) {
                    table?[part] = pl_part(value: 0.1, slope: 0.8)
                }
            }
            for column in 0..<width {
                let right = Float(column - 250) / 300
                edit.pointee.columns[column] = right * right
            }
            (edit.pointee.center, edit.pointee.row_scale) = (2, 0.01)
            (edit.pointee.start, edit.pointee.slope, edit.pointee.stops) = (0.2, 1.7, -1.3)
            let kernel = RowKernel(edit: edit, row: vg_row, plain: vg_plain_row)
            if levels == 256 {
                kernel.expectSameBytes(UInt8.self, width: width, height: height, bands: bands)
            } else {
                kernel.expectSameBytes(UInt16.self, width: width, height: height, bands: bands)
            }
        }
    }
}
