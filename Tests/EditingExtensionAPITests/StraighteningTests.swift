// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Glibc
import Testing

@Suite("crop and rotate extension: straightening")
struct StraighteningTests {
    private let plugin: TestPlugin

    init() throws { plugin = try TestPlugin.cropRotate.get() }

    private static let angles = [-45.0, -10, -0.5, 0.1, 7, 30, 45]

    @Test("no empty corner is left, and the aspect ratio stays", arguments: angles)
    func noEmptyCorners(angle: Double) throws {
        for (width, height) in [(60, 40), (41, 63), (200, 3), (1, 9), (1, 1)] {
            for (bands, format) in [(3, BandFormat.uchar), (4, .uchar), (3, .ushort), (4, .ushort)]
            {
                let white: UInt16 = format == .uchar ? 255 : 65535
                let image = try Pictures.make(
                    [UInt16](repeating: white, count: width * height * bands), width: width,
                    height: height, bands: bands, format: format)
                let result = try plugin.edit(image, "{\"angle\": \(angle)}")
                #expect(try result.samples().allSatisfy { $0 == white })
                #expect(result.width <= width && result.height <= height)
                #expect(result.format == format && result.bands == bands)
                let scale = Self.scale(angle, width, height)
                #expect(result.width == max(1, Int(scale * Double(width) + 1e-9)))
                #expect(result.height == max(1, Int(scale * Double(height) + 1e-9)))
            }
        }
    }

    /// The scale of the largest upright rectangle, whose rotated corners touch the picture's edges.
    private static func scale(_ angle: Double, _ width: Int, _ height: Int) -> Double {
        let (cosine, sine) = (cos(angle * .pi / 180), abs(sin(angle * .pi / 180)))
        let (columns, rows) = (Double(width), Double(height))
        return min(
            columns / (columns * cosine + rows * sine), rows / (columns * sine + rows * cosine))
    }

    // A cubic through a plane is that plane, so the position of a pixel determines its value.
    @Test("a plane is rotated clockwise about the centre", arguments: angles)
    func plane(angle: Double) throws {
        for (width, height) in [(64, 48), (51, 49)] {
            for expand in [false, true] {
                let image = try Pictures.make(
                    (0..<width * height).flatMap { index in
                        let (x, y) = (index % width, index / width)
                        return [UInt16(10000 + 500 * x), UInt16(60000 - 400 * y), 12345]
                    }, width: width, height: height, bands: 3, format: .ushort)
                let result = try plugin.edit(
                    image, "{\"angle\": \(angle), \"expand\": \(expand)}")
                let samples = try result.samples()
                var compared = 0
                let (cosine, sine) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
                for y in 0..<result.height {
                    for x in 0..<result.width {
                        let right = Double(x) - Double(result.width - 1) / 2
                        let down = Double(y) - Double(result.height - 1) / 2
                        // Rotated back, that is counterclockwise, with y pointing down.
                        let fromX = cosine * right + sine * down + Double(width - 1) / 2
                        let fromY = -sine * right + cosine * down + Double(height - 1) / 2
                        guard fromX > 2, fromY > 2, fromX < Double(width - 3),
                            fromY < Double(height - 3)
                        else { continue }
                        compared += 1
                        let index = (y * result.width + x) * 3
                        let expected = [10000 + 500 * fromX, 60000 - 400 * fromY, 12345]
                        for band in 0..<3 {
                            // At most half of one of 256 positions is 500 / 512, then it is rounded.
                            #expect(abs(Double(samples[index + band]) - expected[band]) < 1.6)
                        }
                    }
                }
                #expect(compared > 300)
            }
        }
    }

    @Test("a crop is part of the straightening, with its fraction of a pixel", arguments: angles)
    func crop(angle: Double) throws {
        let (width, height) = (90, 70)
        var ramp: [UInt16] = []
        for index in 0..<width * height {
            ramp.append(UInt16(5000 + 500 * (index % width)))
            ramp.append(UInt16(60000 - 400 * (index / width)))
            ramp.append(12345)
        }
        let image = try Pictures.make(
            ramp, width: width, height: height, bands: 3, format: .ushort)
        let (cosine, sine) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        let crops: [(Double, Double, Double)] = [
            (0.2, 0.31, 0.37), (0.404, 0.25, 0.5), (0.5, 0.5, 0.003),
        ]
        for (x, y, part) in crops {
            let crop = "{\"x\": \(x), \"y\": \(y), \"width\": \(part), \"height\": \(part)}"
            let whole = try plugin.edit(image, "{\"angle\": \(angle)}")
            let result = try plugin.edit(image, "{\"angle\": \(angle), \"crop\": \(crop)}")
            // Both edges are rounded.
            let (columns, rows) = (Double(whole.width), Double(whole.height))
            let left = (x * columns).rounded(), right = ((x + part) * columns).rounded()
            let top = (y * rows).rounded(), bottom = ((y + part) * rows).rounded()
            #expect(result.width == max(1, Int(right - left)))
            #expect(result.height == max(1, Int(bottom - top)))
            let samples = try result.samples()
            for pixel in 0..<result.width * result.height {
                // From the centre of the picture to the centre of the crop, and to the pixel.
                let across =
                    (x + part / 2 - 0.5) * columns + Double(pixel % result.width) + 0.5
                    - Double(result.width) / 2
                let down =
                    (y + part / 2 - 0.5) * rows + Double(pixel / result.width) + 0.5
                    - Double(result.height) / 2
                let fromX = cosine * across + sine * down + Double(width - 1) / 2
                let fromY = -sine * across + cosine * down + Double(height - 1) / 2
                guard fromX > 2, fromY > 2, fromX < Double(width - 3), fromY < Double(height - 3)
                else { continue }
                #expect(abs(Double(samples[3 * pixel]) - (5000 + 500 * fromX)) < 1.6)
                #expect(abs(Double(samples[3 * pixel + 1]) - (60000 - 400 * fromY)) < 1.6)
            }
        }
    }

    @Test("expanding keeps everything and fills the corners", arguments: [3, 4])
    func expand(bands: Int) throws {
        let image = try Pictures.make(
            [UInt16](repeating: 200, count: 40 * 20 * bands), width: 40, height: 20, bands: bands)
        let result = try plugin.edit(image, "{\"angle\": 45, \"expand\": true}")
        // (40 + 20) / sqrt 2 = 42.4
        #expect((result.width, result.height) == (43, 43))
        let samples = try result.samples()
        #expect(samples.prefix(bands).allSatisfy { $0 == 0 })
        #expect(samples.suffix(bands).allSatisfy { $0 == 0 })
        let centre = (21 * 43 + 21) * bands
        #expect(samples[centre..<centre + bands].allSatisfy { $0 == 200 })
    }

    @Test("a transparent colour does not bleed into its neighbours", arguments: [false, true])
    func bleeding(expand: Bool) throws {
        // Left half opaque red, right half transparent green.
        let image = try Pictures.make(
            (0..<40 * 40).flatMap { index -> [UInt16] in
                index % 40 < 20 ? [200, 0, 0, 255] : [0, 255, 0, 0]
            }, width: 40, height: 40, bands: 4)
        let samples = try plugin.edit(image, "{\"angle\": 20, \"expand\": \(expand)}").samples()
        var isMixed = false
        for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 0 {
            isMixed = isMixed || samples[pixel + 3] < 255
            #expect(samples[pixel + 1] == 0)
            #expect(abs(Int(samples[pixel]) - 200) <= 1)
        }
        #expect(isMixed)
    }
}
