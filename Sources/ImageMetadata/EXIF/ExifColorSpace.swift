// SPDX-License-Identifier: Apache-2.0

/// The colour space declared in EXIF (CIPA DC-008, ColorSpace, and DC-009, 5.2.6).
package enum ExifColorSpace: Equatable {
    case sRGB
    case adobeRGB
    /// Another or an unspecified colour space.
    case other

    static let index = 0x0001

    /// Reads the colour space. Returns `nil` if EXIF contains none.
    package init?(_ reader: TIFFReader) {
        guard let main = reader.first,
            let exif = reader.directories(ExifTag.exifDirectory, in: main).first
        else { return nil }
        let space = reader.integers(ExifTag.colorSpace, in: exif)?.first
        let rules = reader.directories(ExifTag.interoperabilityDirectory, in: exif).first
        let index = rules.flatMap { reader.text(Self.index, in: $0) }
        switch (space, index) {
        case (nil, nil): return nil
        case (1, _), (nil, "R98"): self = .sRGB
        // The value 2 is not standard, but some cameras write it.
        case (2, _), (_, "R03"): self = .adobeRGB
        default: self = .other
        }
    }

    /// The value of ColorSpace.
    var number: Int { self == .sRGB ? 1 : 0xFFFF }

    /// The value of the interoperability index; `nil` if there is none for the space.
    var index: String? {
        switch self {
        case .sRGB: "R98"
        case .adobeRGB: "R03"
        case .other: nil
        }
    }
}
