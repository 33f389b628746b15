// SPDX-License-Identifier: Apache-2.0

import Glibc
import PictureLight

/// A change of the light's colour: an adaptation from the white of daylight at 6504 K to another white.
struct WhiteBalance {
    /// The change of the daylight's colour temperature, in mired, for a warmth of 1.
    static let miredPerWarmth = 80.0
    /// The distance from the daylight locus in CIE 1960 u, v, for a tint of 1.
    static let distancePerTint = 0.02

    /// The ratios of the cones' responses to the two whites.
    private let ratios: [Double]

    init(warmth: Double, tint: Double) {
        let mired = Self.standardMired + warmth * Self.miredPerWarmth
        let white = Self.white(mired: mired, distance: -tint * Self.distancePerTint)
        let standard = Self.white(mired: Self.standardMired, distance: 0)
        ratios = zip(Matrix.bradford.times(white), Matrix.bradford.times(standard)).map(/)
    }

    /// The adaptation in the light of a profile, whose primaries are given relative to D50.
    ///
    /// The adaptation between D50 and 6504 K needs no step of its own: the Bradford matrix makes all adaptations
    /// diagonal, and their order does not matter.
    func matrix(for primaries: Matrix) -> Matrix? {
        guard let fromCones = (Matrix.bradford * primaries).inverse else { return nil }
        return fromCones * Matrix(diagonal: ratios) * Matrix.bradford * primaries
    }

    private static let standardMired = 1e6 / 6504

    /// CIE XYZ, with Y = 1, of a white at a distance from the daylight locus. A positive one is green.
    private static func white(mired: Double, distance: Double) -> [Double] {
        let place = uv(mired: mired)
        let (before, after) = (uv(mired: mired - 0.5), uv(mired: mired + 0.5))
        let (du, dv) = (after.u - before.u, after.v - before.v)
        let length = (du * du + dv * dv).squareRoot()
        let u = place.u - dv / length * distance
        let v = place.v + du / length * distance
        // From CIE 1960 u, v to x, y.
        let divisor = 2 * u - 8 * v + 4
        let (x, y) = (3 * u / divisor, 2 * v / divisor)
        return [x / y, 1, (1 - x - y) / y]
    }

    /// CIE 1960 u, v of daylight: the formulas of CIE 15:2004, 3.1, for 4000 to 25000 K.
    private static func uv(mired: Double) -> (u: Double, v: Double) {
        let m = mired / 1000
        let x =
            mired >= 1e6 / 7000
            ? ((-4.6070 * m + 2.9678) * m + 0.09911) * m + 0.244063
            : ((-2.0064 * m + 1.9018) * m + 0.24748) * m + 0.237040
        let y = (-3 * x + 2.87) * x - 0.275
        let divisor = -2 * x + 12 * y + 3
        return (4 * x / divisor, 6 * y / divisor)
    }
}
