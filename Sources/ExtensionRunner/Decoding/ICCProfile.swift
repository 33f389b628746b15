// SPDX-License-Identifier: Apache-2.0

import ImageMetadata

/// Reads the headers and names of ICC profiles.
enum ICCProfile {
    /// The libvips field of an image's profile.
    static let field = "icc-profile-data"
    /// The maximum size of a profile from the host. Printer profiles have a few megabytes.
    static let maximumBytes = 16 << 20

    /// The colour space of a profile's device side.
    enum ColorSpace: String {
        case rgb = "RGB "
        case gray = "GRAY"
        case cmyk = "CMYK"
    }

    /// Returns the colour space; `nil` if it is another one or the bytes are no profile.
    static func colorSpace(_ profile: [UInt8]) -> ColorSpace? {
        guard profile.count >= 128, profile[36..<40].elementsEqual("acsp".utf8) else { return nil }
        return ColorSpace(rawValue: String(decoding: profile[16..<20], as: UTF8.self))
    }

    /// Returns the first localised name of a version 4 profile; `nil` if it has none.
    static func name(_ profile: [UInt8]) -> String? {
        let bytes = Bytes(profile)
        guard let count = bytes.number(128, 4, bigEndian: true), count <= 100,
            let entry = (0..<Int(count)).lazy.map({ 132 + $0 * 12 })
                .first(where: { bytes.has("desc", at: $0) }),
            let start = bytes.number(entry + 4, 4, bigEndian: true).map(Int.init),
            bytes.has("mluc", at: start),
            let length = bytes.number(start + 20, 4, bigEndian: true).map(Int.init),
            let offset = bytes.number(start + 24, 4, bigEndian: true).map(Int.init),
            let text = bytes.slice(start + offset, length), length.isMultiple(of: 2)
        else { return nil }
        let units = stride(from: 0, to: length, by: 2)
            .map { UInt16(text[$0]) << 8 | UInt16(text[$0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns the profile with D50 as its illuminant. ICC.1, 7.2.16, requires it, but some programs write another.
    /// No computation uses it.
    static func withStandardIlluminant(_ profile: [UInt8]) -> [UInt8] {
        guard colorSpace(profile) != nil else { return profile }
        var repaired = profile
        let d50: [UInt8] = [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]
        repaired.replaceSubrange(68..<80, with: d50)
        return repaired
    }
}
