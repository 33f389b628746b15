// SPDX-License-Identifier: Apache-2.0

import ImageMetadata
import RunnerSupport

/// The meaning of a picture's sample values by the code points of Rec. ITU-T H.273, called `nclx` in HEIF and `cICP`
/// in PNG.
struct CodePoints: Equatable {
    let primaries: Int
    let transfer: Int
    /// Whether the samples use the full range, from 0 for black to the maximum for white.
    var isFullRange = true

    /// The transfer function and primaries of high dynamic range; `nil` for a standard picture.
    var highDynamicRange: HighDynamicRange? {
        HighDynamicRange(transfer: transfer, primaries: primaries)
    }

    /// The colour space of a standard picture; `nil` if unknown.
    ///
    /// The transfer functions of television cameras are replaced by that of sRGB, as browsers do. Pictures that are
    /// tagged with a camera's function were made for viewing with that of sRGB.
    var space: RGBSpace? {
        guard let points = RGBSpace.primaries(primaries == Self.unspecified ? 1 : primaries)
        else { return nil }
        switch transfer {
        case 1, Self.unspecified, 6, 7, 11...15: return RGBSpace(points, curve: .sRGB)
        case 4: return RGBSpace(points, curve: .gamma(2.2))
        case 5: return RGBSpace(points, curve: .gamma(2.8))
        case 8: return RGBSpace(points, curve: .gamma(1))
        case 17: return RGBSpace(points, curve: .gamma(2.6))
        default: return nil
        }
    }

    /// The code point for unspecified primaries or transfer functions.
    static let unspecified = 2

    init(primaries: Int, transfer: Int, isFullRange: Bool = true) {
        self.primaries = primaries
        self.transfer = transfer
        self.isFullRange = isFullRange
    }

    /// Reads the code points of the primary picture of a HEIF file; `nil` if it has none or a profile. libheif has
    /// already expanded a narrow range.
    init?(heif bytes: Bytes) {
        guard let colors = HEIFProperties(bytes)?.colors,
            !colors.contains(where: { $0.kind == "prof" || $0.kind == "rICC" }),
            let place = colors.first(where: { $0.kind == "nclx" })?.contents.lowerBound,
            let primaries = bytes.number(place, 2, bigEndian: true),
            let transfer = bytes.number(place + 2, 2, bigEndian: true)
        else { return nil }
        self.init(primaries: Int(primaries), transfer: Int(transfer))
    }

    /// Reads the code points from the name of the profile that libjxl generates for pictures of high dynamic range,
    /// such as `RGB_D65_202_Rel_PeQ`. `nil` for any other name; the profile itself is then used.
    init?(nameOfProfile name: String) {
        let parts = name.split(separator: "_")
        guard ["RGB", "Gra"].contains(parts.first), let last = parts.last else { return nil }
        let transfers: [Substring: HighDynamicRange.Transfer] = ["PeQ": .pq, "HLG": .hlg]
        let known: [Substring: HighDynamicRange.Primaries] = [
            "SRG": .bt709, "202": .bt2020, "DCI": .displayP3,
        ]
        guard let transfer = transfers[last] else { return nil }
        let primaries = parts.count == 5 ? known[parts[2]] : nil
        self.init(
            primaries: primaries?.rawValue ?? Self.unspecified, transfer: transfer.rawValue)
    }
}
