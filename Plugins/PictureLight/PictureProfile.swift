// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// The transfer curves and the primaries of a picture's profile.
package struct PictureProfile {
    /// From light to CIE XYZ relative to D50.
    package let primaries: Matrix
    /// The share of red, green and blue in luminance. They add up to 1.
    package let luminance: [Double]
    private let toLight: ColorTransform
    private let toEncoded: ColorTransform

    /// Reads the profile of an image.
    ///
    /// - Throws: `EditingExtensionError` with `unsupported` if the profile is no matrix with curves. See
    ///   `withMatrixProfile`.
    package init(of image: Image) throws {
        let profile = RGBProfile(of: image)
        toLight = try ColorTransform(from: .encoded(profile), to: .linear(profile))
        toEncoded = try ColorTransform(from: .linear(profile), to: .encoded(profile))
        let toXYZ = try ColorTransform(from: .linear(profile), to: .xyz)
        let columns = try [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map {
            try toXYZ.applied(to: $0).map(Double.init)
        }
        primaries = Matrix((0..<9).map { columns[$0 % 3][$0 / 3] })
        let shares = primaries.numbers[3..<6]
        let sum = shares.reduce(0, +)
        luminance = shares.map { $0 / sum }
    }

    /// Returns the light of encoded values 0...1, for red, green and blue.
    package func light(of values: [Double]) throws -> [[Float]] {
        try Self.apply(toLight, to: values)
    }

    /// Returns the encoded values of light 0...1, for red, green and blue.
    package func encoded(_ light: [Double]) throws -> [[Float]] {
        try Self.apply(toEncoded, to: light)
    }

    private static func apply(_ transform: ColorTransform, to values: [Double]) throws -> [[Float]]
    {
        var pixels = values.flatMap { value in repeatElement(Float(value), count: 3) }
        try pixels.withUnsafeMutableBufferPointer { memory in
            guard let start = memory.baseAddress else { return }
            try transform.apply(start, to: start, pixels: values.count, bands: 3)
        }
        return (0..<3).map { band in values.indices.map { pixels[3 * $0 + band] } }
    }
}
