// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// The pixels of the extension Curves. A curve of two points is a straight line, so plain arithmetic gives the expected
/// levels.
@Suite("Curves")
struct CurvesTests {
    private static func studio() throws -> TestStudio {
        try TestStudio { try TestExtension.assemble("Curves", in: $0) }
    }

    private static func line(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> String {
        "[[\(x0),\(y0)],[\(x1),\(y1)]]"
    }

    /// The value of that line, constant beyond its ends.
    private static func value(
        _ x: Double, _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double
    ) -> Double {
        y0 + (y1 - y0) * (min(max(x, x0), x1) - x0) / (x1 - x0)
    }

    @Test("channels follow their curves, after that of all channels", arguments: [false, true])
    func channels(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let greatest = isDeep ? 65535.0 : 255
        let before = LightAndColorTests.samples(
            width: 40, height: 30, bands: 4, greatest: Int(greatest))
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: 40, bands: 4, isDeep: isDeep)))
        try await studio.edit(
            asset, "curves",
            [
                "rgb": Self.line(0.1, 0, 0.9, 1), "red": Self.line(0, 1, 1, 0),
                "blue": Self.line(0, 0.2, 1, 0.7),
            ])
        let after = try LightAndColorTests.current(asset, in: studio)
        try #require(after.count == before.count)
        var largest = 0.0
        for index in before.indices {
            let level = Double(before[index]) / greatest
            let common = Self.value(level, 0.1, 0, 0.9, 1)
            let expected = [
                1 - common, common, Self.value(common, 0, 0.2, 1, 0.7), level,
            ][index % 4]
            largest = max(largest, abs(Double(after[index]) - expected * greatest))
        }
        #expect(largest <= 0.51, "\(largest) levels off")
        await studio.host.shutDown()
    }

    @Test(
        "the curve of luminance keeps the differences between channels", arguments: [false, true])
    func luminance(isDeep: Bool) async throws {
        let studio = try Self.studio()
        let greatest = isDeep ? 65535.0 : 255
        // Colours that are not clipped.
        let before = LightAndColorTests.samples(
            width: 40, height: 30, bands: 3, greatest: Int(greatest)
        ).map { UInt16(0.3 * greatest) + $0 / 3 }
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: 40, bands: 3, isDeep: isDeep)))
        let points = "[[0,0],[0.4,0.5],[0.7,0.6],[1,1]]"
        try await studio.edit(asset, "curves", ["luminance": points])
        let after = try LightAndColorTests.current(asset, in: studio)
        let curve = try JSONDecoder().decode(Curve.self, from: Data(points.utf8))
        var largest = 0.0
        for pixel in stride(from: 0, to: before.count, by: 3) {
            let rgb = before[pixel..<pixel + 3].map { Double($0) / greatest }
            let luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
            for band in 0..<3 {
                let expected = (rgb[band] + curve.value(at: luma) - luma) * greatest
                largest = max(largest, abs(Double(after[pixel + band]) - expected))
            }
        }
        #expect(largest <= (isDeep ? 4 : 0.52), "\(largest) levels off")
        await studio.host.shutDown()
    }

    @Test("straight curves return the input exactly, and presets change it")
    func neutral() async throws {
        let studio = try Self.studio()
        let picture = TestPicture.gradient(bands: 4)
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "curves", ["red": "[[0,0],[1,1]]"])
        #expect(try studio.current(asset) == picture)
        try await studio.edit(asset, "curves", ["rgb": "[[0,1],[1,0]]"])
        #expect(try studio.current(asset) == picture.mapped { 255 - $0 })
        await studio.host.shutDown()
    }
}
