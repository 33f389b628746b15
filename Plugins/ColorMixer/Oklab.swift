// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Glibc
import PictureLight

/// The matrices of Oklab (https://bottosson.github.io/posts/oklab/, 2020).
enum Oklab {
    /// The matrix from XYZ relative to D65 to the responses of cones.
    private static let fromD65 = Matrix([
        0.8189330101, 0.3618667424, -0.1288597137, 0.0329845436, 0.9293118715, 0.0361456387,
        0.0482003018, 0.2643662691, 0.6338517070,
    ])

    /// The matrix from the cube roots of the cones' responses to L, a and b.
    private static let toLab = Matrix([
        0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050, 0.4505937099,
        0.0259040371, 0.7827717662, -0.8086757660,
    ])

    /// Returns the matrix from linear light to the responses of cones, and its inverse.
    ///
    /// The responses to white are exactly 1, so that gray stays gray.
    ///
    /// - Parameter primaries: The matrix from linear light to XYZ relative to D50.
    static func cones(of primaries: Matrix) throws -> (to: Matrix, from: Matrix) {
        // The white points are D50 as in ICC profiles, and D65 of IEC 61966-2-1: x = 0.3127, y = 0.3290.
        let toD65 = Matrix.adaptation(
            from: [0.9642, 1, 0.8249], to: [0.3127 / 0.3290, 1, 0.3583 / 0.3290])
        let responses = fromD65 * toD65 * primaries
        let white = responses.times([1, 1, 1])
        let to = Matrix(diagonal: white.map { 1 / $0 }) * responses
        guard let from = to.inverse else {
            throw EditingExtensionError(
                code: .unsupported, message: "the profile's primaries lie on a line")
        }
        return (to, from)
    }

    /// Returns L, a and b of a colour in sRGB, whose values are 0...1. For grays, a and b are 0.
    static func lab(ofSRGB color: [Double]) throws -> [Double] {
        let toLight = try ColorTransform(from: .encoded(.sRGB), to: .linear(.sRGB))
        let toXYZ = try ColorTransform(from: .linear(.sRGB), to: .xyz)
        let columns = try [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map {
            try toXYZ.applied(to: $0).map(Double.init)
        }
        let primaries = Matrix((0..<9).map { columns[$0 % 3][$0 / 3] })
        let light = try toLight.applied(to: color.map { Float($0) }).map(Double.init)
        return toLab.times(try cones(of: primaries).to.times(light).map { cbrt($0) })
    }
}
