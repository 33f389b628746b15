// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import TestSupport
import Testing

/// Previews of a part of the picture, as for a loupe.
@Suite("region previews")
struct PreviewRegionTests {
    /// 600 x 400 pixels, each different from its neighbours.
    private static let picture = part(0, 0, 600, 400)

    /// A part of the picture, in plain arithmetic.
    private static func part(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> TestPicture {
        var samples: [UInt8] = []
        for y in top..<top + height {
            for x in left..<left + width {
                for band in 0..<3 {
                    samples.append(UInt8(truncatingIfNeeded: 7 * x + 13 * y + 50 * band))
                }
            }
        }
        return TestPicture(width: width, height: height, bands: 3, samples: samples)
    }

    private static func build(_ folder: String) throws {
        try ThirdPartyTests.buildInvert(folder)
        try TestExtension.buildAdder(in: folder)
    }

    @Test("a region without a size is shown pixel by pixel", arguments: [true, false])
    func pixels(isTrusted: Bool) async throws {
        let studio = try TestStudio(extensions: Self.build, trusted: isTrusted)
        let asset = try await studio.add(Self.picture)
        let session = try await studio.open(asset, "invert", displaySize: 100)
        for (x, y) in [(0.5, 0.25), (0, 0), (0.9, 0.8), (0.5, 0.25)] {
            let region = NormalizedRect(x: x, y: y, width: 0.1, height: 0.2)
            let shown = try await session.preview(region: region)
            let (left, top) = (Int((600 * x).rounded()), Int((400 * y).rounded()))
            #expect(shown.picture == Self.part(left, top, 60, 80).mapped { 255 - $0 })
        }
        let small = try await session.preview(
            size: PixelSize(width: 30, height: 30),
            region: NormalizedRect(x: 0.5, y: 0.25, width: 0.1, height: 0.2))
        #expect(small.width == 22 || small.width == 23)
        #expect(small.height == 30)
        _ = try await session.finish()
        #expect(try studio.current(asset) == Self.picture.mapped { 255 - $0 })
        await studio.host.shutDown()
    }

    @Test(
        "full size is decoded only if the display image is too small; untrusted, once",
        arguments: [true, false])
    func decodes(isTrusted: Bool) async throws {
        let studio = try TestStudio(extensions: Self.build, trusted: isTrusted)
        let asset = try await studio.add(Self.picture)
        let session = try await studio.open(asset, "invert", displaySize: 100)
        let before = studio.host.decodes.fullSize
        let half = NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        let shown = try await session.preview(
            size: PixelSize(width: 50, height: 50), region: half)
        #expect(shown.width == 50)
        #expect(studio.host.decodes.fullSize == before)
        for _ in 0..<3 {
            _ = try await session.preview(size: PixelSize(width: 51, height: 51), region: half)
        }
        #expect(studio.host.decodes.fullSize == before + (isTrusted ? 3 : 1))
        _ = try await session.finish()
        #expect(studio.host.decodes.fullSize == before + (isTrusted ? 4 : 1))
        await studio.host.shutDown()
    }

    @Test(
        "a part of a cropped picture is shown as large as its pixels and the size allow",
        arguments: [true, false])
    func cropped(isTrusted: Bool) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.assemble("CropRotate", in: $0) }, trusted: isTrusted)
        let asset = try await studio.add(Self.picture)
        let crop = ["crop": "0.5,0.5,0.25,0.25"]
        let session = try await studio.open(asset, "croprotate", crop, displaySize: 100)
        let half = NormalizedRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
        let before = studio.host.decodes.fullSize
        // The region has 12 x 8 pixels in the display image and 75 x 50 in the photo.
        let fitted = try await session.preview(size: PixelSize(width: 12, height: 12), region: half)
        #expect(fitted.width == 12 || fitted.width == 13)
        #expect(studio.host.decodes.fullSize == before)
        let shown = try await session.preview(size: PixelSize(width: 48, height: 48), region: half)
        #expect(shown.width == 48 && shown.height == 32)
        let bytes = try await session.encodedPreview(
            as: .png, size: PixelSize(width: 50, height: 50), region: half)
        #expect(try TestPicture(decoding: bytes).width == 50)
        let all = try await session.preview(region: half)
        #expect(all.picture == Self.part(375, 250, 75, 50))
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("lower edits run at full size once for a region", arguments: [true, false])
    func lowerSteps(isTrusted: Bool) async throws {
        let studio = try TestStudio(extensions: Self.build, trusted: isTrusted)
        let asset = try await studio.add(Self.picture.mapped { $0 / 2 })
        try await studio.edit(asset, "adder", ["amount": "6"])
        let session = try await studio.open(asset, "invert", displaySize: 100)
        for _ in 0..<2 {
            let shown = try await session.preview(
                region: NormalizedRect(x: 0.5, y: 0.25, width: 0.1, height: 0.2))
            #expect(
                shown.picture == Self.part(300, 100, 60, 80).mapped { 255 - ($0 / 2 + 6) })
        }
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test("a region of a display-only controller is cut from its display image")
    func displayOnly() async throws {
        let studio = try TestStudio(extensions: Self.build)
        let asset = try await studio.add(.plain(width: 300, height: 200))
        let session = try await studio.open(asset, "adder", ["amount": "9"], displaySize: 60)
        let shown = try await session.preview(
            region: NormalizedRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5))
        #expect(shown.picture == TestPicture.plain(width: 30, height: 20).adding(9))
        await session.cancel()
        await studio.host.shutDown()
    }

    @Test(
        "an invalid region is an error, and the session continues",
        arguments: [
            NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1), .zero,
            NormalizedRect(x: -0.1, y: 0, width: 0.5, height: 1),
            NormalizedRect(x: .nan, y: 0, width: 0.5, height: 1),
        ])
    func bad(_ region: NormalizedRect) async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(.gradient())
        let session = try await studio.open(asset)
        let error = await #expect(throws: HostError.self) {
            try await session.preview(region: region)
        }
        #expect(error?.code == .badRequest)
        #expect(error?.description.contains("region") == true)
        _ = try await session.preview()
        await session.cancel()
        await studio.host.shutDown()
    }
}
