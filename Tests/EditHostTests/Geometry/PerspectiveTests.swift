// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing
import Vips

/// The geometry of Perspective. The pictures are photos of a plane whose colours are waves, red across and green
/// down, through a projection that the test computes itself.
@Suite("Perspective")
struct PerspectiveTests {
    /// A camera above a plane, tilted about the horizontal axis, in units of pixels of the picture.
    private struct Camera {
        let tilt: Double
        let focalLength: Double
        let width: Int
        let height: Int

        /// The point of the plane that a pixel shows, relative to that at the centre.
        func plane(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            let (right, down) = (x - Double(width - 1) / 2, y - Double(height - 1) / 2)
            // The plane is at the distance of the focal length, and tilted.
            let (cosine, sine) = (cos(tilt), sin(tilt))
            let depth = focalLength / (focalLength * cosine + down * sine)
            return (right * depth, (down * cosine - focalLength * sine) * depth)
        }

        /// The pixel that shows a point of the plane.
        func pixel(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            let (cosine, sine) = (cos(tilt), sin(tilt))
            let depth = focalLength / (focalLength * cosine - y * sine)
            return (
                x * depth + Double(width - 1) / 2,
                (y * cosine + focalLength * sine) * depth + Double(height - 1) / 2
            )
        }
    }

    private static func studio() throws -> TestStudio {
        try TestStudio { try TestExtension.assemble("Perspective", in: $0) }
    }

    private static func wave(_ position: Double) -> Double { 32768 + 30000 * sin(position / 23) }

    private static func picture(of camera: Camera, bands: Int = 3) throws -> Data {
        var samples: [UInt16] = []
        for y in 0..<camera.height {
            for x in 0..<camera.width {
                let point = camera.plane(Double(x), Double(y))
                samples += [UInt16(wave(point.x)), UInt16(wave(point.y)), 20000]
                if bands == 4 { samples.append(65535) }
            }
        }
        return try LightAndColorTests.png(
            LightAndColorTests.image(samples, width: camera.width, bands: bands, isDeep: true))
    }

    private static func edited(
        _ data: Data, _ values: [String: String]
    ) async throws -> (samples: [UInt16], width: Int, height: Int) {
        let studio = try studio()
        let asset = try await studio.add(data)
        try await studio.edit(asset, "perspective", values)
        let image = try Image(source: try ImageSource(bytes: Array(studio.currentBytes(asset))))
        let result = (samples: try image.samples(), width: image.width, height: image.height)
        await studio.host.shutDown()
        return result
    }

    /// Expects that red does not change down a column, and green not along a row.
    private static func expectUpright(
        _ picture: (samples: [UInt16], width: Int, height: Int), bands: Int = 3
    ) {
        var (farthest, range) = (0, (least: UInt16.max, greatest: UInt16.min))
        for y in 2..<picture.height - 2 {
            for x in 2..<picture.width - 2 {
                let place = bands * (y * picture.width + x)
                let middle = bands * (picture.height / 2 * picture.width + x)
                let start = bands * (y * picture.width + picture.width / 2)
                let red = Int(picture.samples[place]) - Int(picture.samples[middle])
                let green = Int(picture.samples[place + 1]) - Int(picture.samples[start + 1])
                farthest = max(farthest, abs(red), abs(green))
                range.least = min(range.least, picture.samples[place])
                range.greatest = max(range.greatest, picture.samples[place])
            }
        }
        // The slope is up to 1300 per pixel of the plane: a twentieth of a pixel, with what interpolation adds.
        #expect(farthest < 100)
        #expect(range.greatest - range.least > 50000)
    }

    @Test("four corners of a rectangle make its sides upright", arguments: [3, 4])
    func points(bands: Int) async throws {
        let camera = Camera(tilt: 0.35, focalLength: 300, width: 280, height: 220)
        let corners = [(-60.0, -140.0), (70, -140), (70, -60), (-60, -60)].map {
            camera.pixel($0.0, $0.1)
        }
        let points = corners.map { "[\(($0.x + 0.5) / 280),\(($0.y + 0.5) / 220)]" }
        let result = try await Self.edited(
            Self.picture(of: camera, bands: bands),
            ["points": "[\(points.joined(separator: ","))]"])
        Self.expectUpright(result, bands: bands)
    }

    @Test("the order of the four corners does not matter")
    func order() async throws {
        let data = try TestPicture.gradient(width: 64, height: 48).encoded()
        let expected = try await Self.edited(
            data, ["points": "[[0.2,0.1],[0.8,0.2],[0.9,0.9],[0.1,0.8]]"])
        for points in [
            "[[0.9,0.9],[0.1,0.8],[0.2,0.1],[0.8,0.2]]",
            "[[0.2,0.1],[0.9,0.9],[0.8,0.2],[0.1,0.8]]",
        ] {
            #expect(try await Self.edited(data, ["points": points]) == expected)
        }
    }

    @Test("the sliders turn the camera about its centre, with the focal length of the metadata")
    func sliders() async throws {
        // Without metadata, the lens has 35 mm for a diagonal of 43.27.
        let diagonal = (280.0 * 280 + 220 * 220).squareRoot()
        let camera = Camera(
            tilt: -0.4 * .pi / 6, focalLength: 35 / (36.0 * 36 + 24 * 24).squareRoot() * diagonal,
            width: 280, height: 220)
        let data = try Self.picture(of: camera)
        Self.expectUpright(try await Self.edited(data, ["vertical": "-0.4"]))
    }

    @Test("the result is the largest rectangle of the view without empty corners")
    func size() async throws {
        let (width, height, tilt) = (300.0, 200.0, 0.7 * Double.pi / 6)
        let focalLength =
            35 / (36.0 * 36 + 24 * 24).squareRoot()
            * (width * width + height * height).squareRoot()
        let white = [UInt16](repeating: 255, count: 300 * 200 * 3)
        let data = try LightAndColorTests.png(
            LightAndColorTests.image(white, width: 300, bands: 3, isDeep: false))
        let result = try await Self.edited(data, ["vertical": "0.7"])
        // The view is a trapezium: its sides by the projection, its best rectangle by trial of all heights.
        func view(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            let depth = sin(tilt) / focalLength * y + cos(tilt)
            return (x / depth, (cos(tilt) * y - focalLength * sin(tilt)) / depth)
        }
        let (top, bottom) = (view(width / 2, -height / 2), view(width / 2, height / 2))
        var best = (area: 0.0, width: 0.0, height: 0.0)
        for step in 1...100_000 {
            let rectangleHeight = (bottom.y - top.y) * Double(step) / 100_000
            // Narrower at the bottom, so the rectangle begins at the top.
            let share = rectangleHeight / (bottom.y - top.y)
            let rectangleWidth = 2 * (top.x + (bottom.x - top.x) * share)
            if rectangleWidth * rectangleHeight > best.area {
                best = (rectangleWidth * rectangleHeight, rectangleWidth, rectangleHeight)
            }
        }
        // The centre keeps its size: a small square there, unless there were more pixels than before.
        let (corner, opposite) = (view(-0.005, -0.005), view(0.005, 0.005))
        let enlargement = (opposite.x - corner.x) * (opposite.y - corner.y) / 1e-4
        let scale = min(1 / enlargement, width * height / best.area).squareRoot()
        #expect(abs(Double(result.width) - best.width * scale) <= 1.5)
        #expect(abs(Double(result.height) - best.height * scale) <= 1.5)
        #expect(result.samples.allSatisfy { $0 == 255 })
    }

    @Test("aspect changes the ratio of the sides by its power of two")
    func aspect() async throws {
        let data = try TestPicture.gradient(width: 64, height: 64).encoded()
        let wide = try await Self.edited(data, ["aspect": "1"])
        #expect(wide.width == 90 && wide.height == 45)
        let tall = try await Self.edited(data, ["aspect": "-1"])
        #expect(tall.width == 45 && tall.height == 90)
    }

    @Test("neutral values return the input exactly", arguments: [false, true])
    func neutral(isDeep: Bool) async throws {
        let before = LightAndColorTests.samples(
            width: 40, height: 30, bands: 4, greatest: isDeep ? 65535 : 255)
        let data = try LightAndColorTests.png(
            LightAndColorTests.image(before, width: 40, bands: 4, isDeep: isDeep))
        #expect(try await Self.edited(data, ["vertical": "0"]).samples == before)
        let three = "[[0.1,0.1],[0.8,0.2],[0.9,0.9]]"
        #expect(try await Self.edited(data, ["points": three]).samples == before)
        // The corners of the picture are resampled at its own pixels.
        let opaque = LightAndColorTests.samples(
            width: 40, height: 30, bands: 3, greatest: isDeep ? 65535 : 255)
        let corners = try await Self.edited(
            LightAndColorTests.png(
                LightAndColorTests.image(opaque, width: 40, bands: 3, isDeep: isDeep)),
            ["points": "[[0,0],[1,0],[1,1],[0,1]]"])
        #expect(corners.samples == opaque)
    }

    @Test(
        "points that are no corners of a quadrilateral are rejected",
        arguments: [
            "[[0.1,0.1],[0.5,0.5],[0.9,0.9],[0.1,0.9]]",
            "[[0.5,0.5],[0.5,0.5],[0.5,0.5],[0.5,0.5]]", "[[0,0],[1,0],[0.5,0.4],[0,1]]",
        ])
    func rejected(points: String) async throws {
        let studio = try Self.studio()
        let asset = try await studio.add(TestPicture.gradient(bands: 3))
        let error = await #expect(throws: (any Error).self) {
            try await studio.edit(asset, "perspective", ["points": points])
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("points"))
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        await studio.host.shutDown()
    }

    @Test(
        "narrow pictures, and all sliders at their ends", arguments: [(1, 1), (1, 2000), (2000, 1)])
    func narrow(size: (Int, Int)) async throws {
        let white = [UInt16](repeating: 255, count: size.0 * size.1 * 3)
        let data = try LightAndColorTests.png(
            LightAndColorTests.image(white, width: size.0, bands: 3, isDeep: false))
        for vertical in ["-1", "1"] {
            let result = try await Self.edited(
                data, ["vertical": vertical, "horizontal": "1", "aspect": "-1"])
            #expect(result.width >= 1 && result.height >= 1)
            #expect(result.samples.allSatisfy { $0 == 255 })
        }
    }
}
