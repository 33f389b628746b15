// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// The value of a `color` parameter: a colour in sRGB with straight alpha.
package struct SRGBColor {
    /// Red, green and blue, 0...1, with the curve of sRGB.
    package let values: [Double]
    /// The opacity, 0...1.
    package let alpha: Double

    /// Reads `#rrggbb` or `#rrggbbaa`. A recipe may contain any text.
    ///
    /// - Parameter parameter: The name for the error.
    /// - Throws: `EditingExtensionError` with `badParameter` for other texts.
    package init(_ text: String, parameter: String) throws {
        let digits = text.dropFirst()
        guard text.first == "#", digits.count == 6 || digits.count == 8,
            digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits.count == 6 ? digits + "ff" : digits, radix: 16)
        else {
            throw EditingExtensionError(
                code: .badParameter,
                message: "\(parameter) must be a colour such as #8f7f69, not \(text)")
        }
        let bytes = [24, 16, 8, 0].map { Double(number >> $0 & 0xFF) / 255 }
        values = Array(bytes.prefix(3))
        alpha = bytes[3]
    }

    /// Returns red, green and blue with the curves and the primaries of an image's profile, 0...1. Colours outside its
    /// gamut are clipped.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if the profile is no matrix with curves.
    package func values(inProfileOf image: Image) throws -> [Double] {
        let profile = RGBProfile(of: image)
        guard profile != .sRGB else { return values }
        return try ColorTransform(from: .encoded(.sRGB), to: .encoded(profile))
            .applied(to: values.map { Float($0) }).map { min(max(Double($0), 0), 1) }
    }
}
