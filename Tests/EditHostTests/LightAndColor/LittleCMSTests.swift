// SPDX-License-Identifier: Apache-2.0

import CLittleCMS
import EditHost
import Foundation
import TestSupport
import Testing
import Vips

@testable import ExtensionRunner

/// White balance compared with LittleCMS, which has its own profiles, its own daylight and its own Bradford adaptation.
@Suite("white balance and LittleCMS")
struct LittleCMSTests {
    /// Transforms of LittleCMS in double precision between a profile and XYZ relative to D50.
    private final class Transforms {
        let toXYZ: cmsHTRANSFORM
        let toRGB: cmsHTRANSFORM

        /// - Parameter bytes: A profile; nil is the sRGB of LittleCMS.
        init(_ bytes: [UInt8]?) throws {
            let profile = try #require(
                bytes.map { cmsOpenProfileFromMem($0, UInt32($0.count)) }
                    ?? cmsCreate_sRGBProfile())
            let xyz = try #require(cmsCreateXYZProfile())
            // The macros TYPE_RGB_DBL and TYPE_XYZ_DBL: floating point, the colour space, three channels of 8 bytes.
            let (rgb, plain): (UInt32, UInt32) = (
                1 << 22 | 4 << 16 | 3 << 3, 1 << 22 | 9 << 16 | 3 << 3
            )
            toXYZ = try #require(
                cmsCreateTransform(profile, rgb, xyz, plain, 1, UInt32(cmsFLAGS_NOOPTIMIZE)))
            toRGB = try #require(
                cmsCreateTransform(xyz, plain, profile, rgb, 1, UInt32(cmsFLAGS_NOOPTIMIZE)))
            cmsCloseProfile(profile)
            cmsCloseProfile(xyz)
        }

        deinit {
            cmsDeleteTransform(toXYZ)
            cmsDeleteTransform(toRGB)
        }

        /// Returns encoded values after the adaptation of their light from a white to another.
        func adapted(_ color: [Double], from: cmsCIEXYZ, to: cmsCIEXYZ) -> [Double] {
            var xyz = cmsCIEXYZ()
            cmsDoTransform(toXYZ, color, &xyz, 1)
            // The standard white of the profile is D65; XYZ of profiles is relative to D50.
            let (d50, d65) = (cmsD50_XYZ().pointee, Self.d65)
            xyz = Self.adapted(Self.adapted(xyz, from: d50, to: d65), from: from, to: to)
            xyz = Self.adapted(xyz, from: d65, to: d50)
            var result = [0.0, 0, 0]
            cmsDoTransform(toRGB, &xyz, &result, 1)
            return result
        }

        private static let d65 = LittleCMSTests.xyz(cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1))

        private static func adapted(
            _ xyz: cmsCIEXYZ, from: cmsCIEXYZ, to: cmsCIEXYZ
        ) -> cmsCIEXYZ {
            var (result, color, from, to) = (cmsCIEXYZ(), xyz, from, to)
            cmsAdaptToIlluminant(&result, &from, &to, &color)
            return result
        }
    }

    private static func xyz(_ point: cmsCIExyY) -> cmsCIEXYZ {
        var (point, result) = (point, cmsCIEXYZ())
        cmsxyY2XYZ(&result, &point)
        return result
    }

    /// The white of daylight.
    private static func daylight(mired: Double) -> cmsCIEXYZ {
        var point = cmsCIExyY()
        cmsWhitePointFromTemp(&point, 1e6 / mired)
        return xyz(point)
    }

    @Test("warmth is the Bradford adaptation of LittleCMS", arguments: [false, true])
    func warmth(isAdobeRGB: Bool) async throws {
        let studio = try LightAndColorTests.studio()
        // Not a profile with a sampled curve: its inverse in LittleCMS is off by 7 levels.
        let bytes = isAdobeRGB ? NamedProfile.adobeRGB : nil
        let before = LightAndColorTests.samples(width: 40, height: 30, bands: 3, greatest: 65535)
        var image = try LightAndColorTests.image(before, width: 40, bands: 3, isDeep: true)
        if let bytes { image = try image.copying { $0.set("icc-profile-data", to: bytes) } }
        let asset = try await studio.add(LightAndColorTests.png(image))
        let transforms = try Transforms(bytes)
        let standard = 1e6 / 6504
        for warmth in [0.7, -0.6] {
            try await studio.edit(
                asset, "lightandcolor", ["warmth": "\(warmth)"], reset: true)
            let after = try LightAndColorTests.current(asset, in: studio)
            try #require(after.count == before.count)
            let from = Self.daylight(mired: standard)
            let to = Self.daylight(mired: standard + 80 * warmth)
            var largest = 0.0
            for pixel in stride(from: 0, to: before.count, by: 3) {
                let expected = transforms.adapted(
                    before[pixel..<pixel + 3].map { Double($0) / 65535 }, from: from, to: to)
                for band in 0..<3 {
                    let level = min(max(expected[band], 0), 1) * 65535
                    largest = max(largest, abs(Double(after[pixel + band]) - level))
                }
            }
            #expect(largest <= 4, "\(largest) levels off")
        }
        await studio.host.shutDown()
    }
}
