// SPDX-License-Identifier: Apache-2.0

import ImageMetadata
import RunnerSupport
import Vips

extension ExifColorSpace {
    /// Creates the EXIF colour space of an output image. `nil` if neither the image nor its original has a profile,
    /// so that the value is kept.
    init?(of image: Image, from original: Image) {
        guard let profile = image.blob(ICCProfile.field) else {
            guard original.hasField(ICCProfile.field) || original.hasField(HighDynamicRange.field)
            else { return nil }
            self = .sRGB
            return
        }
        self = Self.space(of: profile)
    }

    /// Identifies a profile by the colours it produces, because there are many profiles for sRGB.
    private static func space(of profile: [UInt8]) -> ExifColorSpace {
        if profile == NamedProfile.adobeRGB { return .adobeRGB }
        guard let standard = try? NamedProfile.bytes(.sRGB, original: nil) else { return .other }
        if profile == standard { return .sRGB }
        guard let seen = colors(profile) else { return .other }
        let spaces: [(ExifColorSpace, [UInt8])] = [
            (.sRGB, standard), (.adobeRGB, NamedProfile.adobeRGB),
        ]
        for (space, known) in spaces {
            if let colors = colors(known), zip(seen, colors).allSatisfy({ abs($0 - $1) <= 3 }) {
                return space
            }
        }
        return .other
    }

    /// Returns sample colours of a profile, converted to sRGB.
    private static func colors(_ profile: [UInt8]) -> [Int]? {
        let samples: [UInt8] = [
            20, 20, 20, 128, 128, 128, 235, 235, 235, 180, 120, 100, 100, 160, 120, 110, 120, 170,
            60, 40, 50,
        ]
        let image = try? Image(
            bytes: samples, width: samples.count / 3, height: 1, bands: 3, format: .uchar,
            interpretation: .srgb
        ).copying { $0.set(ICCProfile.field, to: profile) }
        let converted = image.flatMap { try? WorkingColor.toSRGB($0, ["embedded": true]) }
        return (try? converted?.pixels())?.map(Int.init)
    }
}
