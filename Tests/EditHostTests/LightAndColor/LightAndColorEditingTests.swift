// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library
import TestSupport
import Testing
import Vips

/// Sessions, automatic settings, videos and unusual pictures with Light and Color.
@Suite("editing with Light and Color")
struct LightAndColorEditingTests {
    /// A photo-like picture: dark on the left, bright on the right, with fine detail.
    private static func picture(width: Int, height: Int, scale: Double = 1) -> TestPicture {
        var samples: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let level = 20 + scale * 90 * Double(x) / Double(width)
                for band in 0..<3 {
                    samples.append(UInt8(level + Double((7 * x + 13 * y + 50 * band) % 24)))
                }
            }
        }
        return TestPicture(width: width, height: height, bands: 3, samples: samples)
    }

    @Test("the order in which sliders are set does not matter")
    func order() async throws {
        let studio = try LightAndColorTests.studio()
        let asset = try await studio.add(Self.picture(width: 120, height: 80))
        let values: [(String, ParameterValue)] = [
            ("shadows", .number(0.6)), ("warmth", .number(0.3)), ("contrast", .number(-0.4)),
            ("exposure", .number(0.7)),
        ]
        var previews: [TestPicture] = []
        for order in [values, values.reversed()] {
            let session = try await studio.open(asset, "lightandcolor")
            for (name, value) in order { _ = try await session.setParameters([name: value]) }
            previews.append(try await session.preview().picture)
            await session.cancel()
        }
        #expect(previews[0] == previews[1] && previews[0] != Self.picture(width: 120, height: 80))
        await studio.host.shutDown()
    }

    /// In 16 bits, because strong values multiply the rounding of the preview's input.
    @Test("a preview looks like the reduced result, within 2 levels of 8 bits")
    func preview() async throws {
        let studio = try LightAndColorTests.studio()
        let values = [
            "shadows": "0.8", "highlights": "-0.8", "brilliance": "0.5", "exposure": "0.4",
            "contrast": "0.3", "vibrance": "0.4",
        ]
        let difference = try await studio.differenceOfPreview(
            Self.smooth(width: 1800, height: 600), width: 1800, "lightandcolor", values)
        #expect(difference <= 2)
        await studio.host.shutDown()
    }

    /// Waves and a soft edge, without detail that a reduction loses, in 16 bits.
    private static func smooth(width: Int, height: Int) -> [UInt16] {
        var samples: [UInt16] = []
        for y in 0..<height {
            for x in 0..<width {
                let wave = sin(Double(x) / 160) * cos(Double(y) / 120)
                let edge = 1 / (1 + exp(Double(width / 3 - x) / 25))
                let level = 45 + 120 * edge + 40 * wave
                for band in 0..<3 { samples.append(UInt16(257 * (level + Double(10 * band)))) }
            }
        }
        return samples
    }

    @Test("auto chooses five values for the picture, and keeps the others and those set with it")
    func auto() async throws {
        let studio = try LightAndColorTests.studio()
        let dark = Self.picture(width: 300, height: 200)
        let asset = try await studio.add(dark)
        let session = try await studio.open(asset, "lightandcolor", ["warmth": "0.4"])
        let chosen = try await session.setParameters(["auto": .boolean(true)])
        #expect(chosen["auto"] == .boolean(false))
        #expect(chosen["warmth"] == .number(0.4))
        #expect(chosen["vibrance"] == .number(0.15))
        let exposure = try Self.number("exposure", in: chosen)
        #expect(abs(exposure - Self.exposure(of: dark)) < 0.05)
        // Named values are kept, also if they are the same as before.
        _ = try await session.setParameters(["vibrance": .number(0), "shadows": .number(0)])
        let again = try await session.setParameters(
            ["auto": .boolean(true), "exposure": .number(exposure), "shadows": .number(0)])
        #expect(try Self.number("exposure", in: again) == exposure)
        #expect(try Self.number("shadows", in: again) == 0)
        #expect(again["vibrance"] == .number(0.15))
        await session.cancel()
        await studio.host.shutDown()
    }

    /// Half of the stops from the light of the median luma to 0.18.
    private static func exposure(of picture: TestPicture) -> Double {
        let shares = LightAndColorOracle.Primaries.sRGB.luminance
        var luma: [Double] = []
        for pixel in stride(from: 0, to: picture.samples.count, by: 3) {
            var sum = 0.0
            for band in 0..<3 {
                sum += shares[band] * Double(picture.samples[pixel + band])
            }
            luma.append(sum / 255)
        }
        luma.sort()
        return min(log2(0.18 / LightAndColorOracle.light(luma[luma.count / 2])) / 2, 1.5)
    }

    private static func number(
        _ name: String, in values: [String: ParameterValue]
    ) throws -> Double {
        let value = try #require(values[name])
        return try #require(Double(value.text))
    }

    @Test("a recipe contains what auto chose, after a reset too")
    func automaticRecipe() async throws {
        let studio = try LightAndColorTests.studio()
        var levels: [UInt8] = []
        for pixel in 0..<100 * 80 {
            let level = UInt8(225 + pixel % 25)
            levels += [level, level, level]
        }
        let bright = TestPicture(width: 100, height: 80, bands: 3, samples: levels)
        let asset = try await studio.add(bright)
        try await studio.edit(asset, "lightandcolor", ["auto": "true"])
        let recipe = try #require(try studio.recipe(asset))
        #expect(recipe.contains("\"auto\":false") && !recipe.contains(":-0,"), "\(recipe)")
        let values = try JSONDecoder().decode(
            [String: ParameterValue].self, from: Data(recipe.utf8))
        #expect(try Self.number("exposure", in: values) < 0)
        #expect(try Self.number("highlights", in: values) < 0)
        try await studio.edit(asset, "lightandcolor", ["contrast": "1", "exposure": "2"])
        try await studio.edit(asset, "lightandcolor", ["auto": "true"], reset: true)
        #expect(try studio.recipe(asset) == recipe)
        await studio.host.shutDown()
    }

    @Test(
        "pictures of one pixel, one column and one row are edited",
        arguments: [(1, 1), (1, 3000), (3000, 1)])
    func narrow(width: Int, height: Int) async throws {
        let studio = try LightAndColorTests.studio()
        let picture = TestPicture.gradient(width: width, height: height).adding(20)
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "lightandcolor", ["shadows": "1", "exposure": "0.5"])
        let after = try studio.current(asset)
        #expect(after.width == width && after.height == height && after != picture)
        await studio.host.shutDown()
    }

    @Test("the frames of videos and both parts of Live Photos are edited")
    func moving() async throws {
        let studio = try LightAndColorTests.studio()
        let asset = try await studio.addLivePhoto()
        let result = try await studio.edit(asset, "lightandcolor", ["saturation": "-1"])
        #expect(result.warnings.isEmpty, "\(result.warnings)")
        #expect(Self.largestColor(in: try studio.current(asset).samples) <= 3)
        let resources = try AssetResource.assetResources(
            for: studio.library.asset(withLocalIdentifier: asset), in: studio.library)
        let motion = try #require(resources.first { $0.type == .fullSizePairedVideo }?.blob)
        let frames = try TestVideo.frames(studio.blobPath(motion))
        #expect(frames.count == 25)
        for frame in frames { #expect(Self.largestColor(in: frame) <= 3) }
        await studio.host.shutDown()
    }

    /// The greatest difference between the samples of a pixel; 0 if all are gray.
    private static func largestColor<Sample: BinaryInteger>(in samples: [Sample]) -> Int {
        stride(from: 0, to: samples.count, by: 3).reduce(0) { largest, pixel in
            let (red, green, blue) = (
                Int(samples[pixel]), Int(samples[pixel + 1]), Int(samples[pixel + 2])
            )
            return max(largest, max(red, green, blue) - min(red, green, blue))
        }
    }
}
