// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing
import Vips

/// Saturation and sepia compared with the filters of librsvg, which computes in 8 bits.
@Suite("filters of librsvg", .librsvg)
struct LibrsvgTests {
    private static let (width, height) = (40, 30)

    private static func light(_ level: Double) -> Double { LightAndColorOracle.light(level / 255) }

    /// Returns the samples of an opaque picture that librsvg has rendered through a filter.
    ///
    /// - Parameters:
    ///   - attribute: The value of the attribute `filter`.
    ///   - definition: An element that it refers to.
    private static func rendered(
        _ samples: [UInt16], filter attribute: String, _ definition: String = ""
    ) throws -> [UInt16] {
        let png = try LightAndColorTests.png(
            LightAndColorTests.image(samples, width: width, bands: 3, isDeep: false))
        let size = "width=\"\(width)\" height=\"\(height)\""
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \(size)>
            \(definition)<image \(size) filter="\(attribute)"
                xlink:href="data:image/png;base64,\(png.base64EncodedString())"/></svg>
            """
        let image = try Image(
            source: try ImageSource(bytes: Array(svg.utf8)), loader: "svgload_source")
        return try image.applying("extract_band", ["band": 0, "n": 3]).samples()
    }

    /// librsvg has the weights of luminance that the standard rounds to three digits: 0.213, 0.715 and 0.072. Light and
    /// Color has those of the profile, relative to D50. The difference moves all three colours by one amount of light.
    @Test("saturation is that of feColorMatrix with other weights", arguments: [-0.6, 0.5])
    func saturation(value: Double) async throws {
        let studio = try LightAndColorTests.studio()
        let before = LightAndColorTests.samples(
            width: Self.width, height: Self.height, bands: 3, greatest: 255)
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: Self.width, bands: 3, isDeep: false)))
        try await studio.edit(asset, "lightandcolor", ["saturation": "\(value)"])
        let after = try LightAndColorTests.current(asset, in: studio)
        let filter = """
            <filter id="f" x="0" y="0" width="1" height="1" color-interpolation-filters="linearRGB">
            <feColorMatrix type="saturate" values="\(1 + value)"/></filter>
            """
        let other = try Self.rendered(before, filter: "url(#f)", filter)
        try #require(after.count == before.count && other.count == before.count)
        let weights = zip(LightAndColorOracle.Primaries.sRGB.luminance, [0.213, 0.715, 0.072])
            .map { $0 - $1 }
        var (largest, compared) = (0.0, 0)
        for pixel in stride(from: 0, to: before.count, by: 3) {
            let light = before[pixel..<pixel + 3].map { Self.light(Double($0)) }
            let moved = -value * (0..<3).reduce(0) { $0 + weights[$1] * light[$1] }
            for band in 0..<3 {
                let found = Self.light(Double(other[pixel + band]))
                // librsvg's steps of light are wide in the shadows, and white is clipped before this comparison.
                guard found > 0.2, found < 1 else { continue }
                let expected = LightAndColorOracle.encoded(found + moved) * 255
                largest = max(largest, abs(Double(after[pixel + band]) - expected))
                compared += 1
            }
        }
        #expect(largest <= 2 && compared > 500, "\(largest) levels off in \(compared) samples")
        await studio.host.shutDown()
    }

    /// The standard requires encoded values for filter functions, but librsvg 2.54 computes in linear light. The levels
    /// that its filter gets are then those of light.
    @Test("sepia is the function of librsvg", arguments: [1, 0.7, 0.2])
    func sepia(intensity: Double) async throws {
        let studio = try TestStudio { try TestExtension.assemble("SepiaFilter", in: $0) }
        let filter = "sepia(\(intensity))"
        let samples = LightAndColorTests.samples(
            width: Self.width, height: Self.height, bands: 3, greatest: 255)
        let gray = [UInt16](repeating: 128, count: samples.count)
        let isLinear = try Self.rendered(gray, filter: "sepia(1)")[0] < 160
        let before =
            isLinear ? samples.map { UInt16((Self.light(Double($0)) * 255).rounded()) } : samples
        let other = try Self.rendered(samples, filter: filter).map { sample in
            isLinear ? Self.light(Double(sample)) * 255 : Double(sample)
        }
        let asset = try await studio.add(
            LightAndColorTests.png(
                LightAndColorTests.image(before, width: Self.width, bands: 3, isDeep: false)))
        try await studio.edit(asset, "sepia", ["intensity": "\(intensity)"])
        let after = try LightAndColorTests.current(asset, in: studio)
        try #require(after.count == other.count)
        var largest = 0.0
        for index in after.indices {
            largest = max(largest, abs(Double(after[index]) - other[index]))
        }
        // A level of encoded values is up to 2.3 levels of light.
        #expect(largest <= (isLinear ? 2.2 : 1), "\(largest) levels off")
        await studio.host.shutDown()
    }
}
