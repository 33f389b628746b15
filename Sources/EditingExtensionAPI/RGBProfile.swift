// SPDX-License-Identifier: Apache-2.0

import Vips

/// The primaries and transfer curves of a ``ColorSpace``.
public enum RGBProfile: Sendable, Hashable {
    /// sRGB, with the curve of IEC 61966-2-1.
    case sRGB
    /// Display P3, a wide gamut with sRGB's transfer curve.
    case displayP3
    /// Adobe RGB (1998).
    case adobeRGB
    /// ProPhoto RGB, a very wide gamut, with a pure gamma of 461 / 256.
    case proPhotoRGB
    /// ITU-R BT.2020, with the inverse of its camera's curve.
    case rec2020
    /// The bytes of an ICC profile.
    case icc([UInt8])

    /// Creates the profile of an image: its ICC profile, or sRGB if it has none.
    public init(of image: Image) {
        self = image.blob("icc-profile-data").map { .icc($0) } ?? .sRGB
    }

    /// The name in the C contract; nil for the bytes of a profile.
    var name: String? {
        switch self {
        case .sRGB: "srgb"
        case .displayP3: "display-p3"
        case .adobeRGB: "adobe-rgb"
        case .proPhotoRGB: "prophoto-rgb"
        case .rec2020: "rec-2020"
        case .icc: nil
        }
    }

    /// The bytes of a profile; empty for a named profile.
    var bytes: [UInt8] {
        guard case .icc(let bytes) = self else { return [] }
        return bytes
    }
}
