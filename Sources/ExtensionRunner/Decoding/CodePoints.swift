// SPDX-License-Identifier: Apache-2.0

import RunnerSupport

/// What the numbers of a picture stand for, by the code points of Rec. ITU-T H.273, which HEIF calls `nclx` and
/// PNG `cICP`.
struct CodePoints: Equatable {
    let primaries: Int
    let transfer: Int
    /// Whether 0 is black, and the greatest number white.
    var isFullRange = true

    /// High dynamic range; nil for an ordinary picture.
    var highDynamicRange: HighDynamicRange? {
        HighDynamicRange(transfer: transfer, primaries: primaries)
    }

    /// The space of an ordinary picture; nil for one that is not known.
    ///
    /// The curve of cameras for television is taken for that of sRGB, as browsers do: pictures that say the former are
    /// made to be looked at like the latter.
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

    /// What makes a picture none of a known kind where nothing else is said.
    static let unspecified = 2

    init(primaries: Int, transfer: Int, isFullRange: Bool = true) {
        self.primaries = primaries
        self.transfer = transfer
        self.isFullRange = isFullRange
    }

    /// Those of the picture that a HEIF file shows; nil where there are none, or a profile. What its range is has been
    /// seen to by libheif.
    init?(heif bytes: Bytes) {
        guard let colors = HEIFProperties(bytes)?.colors,
            !colors.contains(where: { $0.kind == "prof" || $0.kind == "rICC" }),
            let place = colors.first(where: { $0.kind == "nclx" })?.contents.lowerBound,
            let primaries = bytes.number(place, 2, bigEndian: true),
            let transfer = bytes.number(place + 2, 2, bigEndian: true)
        else { return nil }
        self.init(primaries: Int(primaries), transfer: Int(transfer))
    }

    /// Those that libjxl names the profile by that it makes of a picture of high dynamic range: `RGB_D65_202_Rel_PeQ`.
    /// Nil for another name: such a profile is as good as any.
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
