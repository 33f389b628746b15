// SPDX-License-Identifier: Apache-2.0

/// A colour space of three primaries, a white point, and a common transfer curve.
struct RGBSpace: Hashable {
    /// A point of the CIE 1931 chromaticity diagram.
    struct Chromaticity: Hashable {
        let x: Double
        let y: Double
    }

    /// The transfer curve from sample values, 0...1, to linear light.
    enum Curve: Hashable {
        /// The curve of IEC 61966-2-1.
        case sRGB
        /// A power function with this exponent.
        case gamma(Double)
    }

    let red: Chromaticity
    let green: Chromaticity
    let blue: Chromaticity
    let white: Chromaticity
    let curve: Curve

    /// - Parameter points: The x and y of red, green, blue and white.
    init(_ points: [Double], curve: Curve) {
        let pairs = (0..<4).map { index in
            let place = index * 2
            return points.indices.contains(place + 1)
                ? Chromaticity(x: points[place], y: points[place + 1]) : Chromaticity(x: 0, y: 0)
        }
        (red, green, blue, white) = (pairs[0], pairs[1], pairs[2], pairs[3])
        self.curve = curve
    }

    private static let d65 = [0.3127, 0.3290]

    /// The primaries of sRGB and HDTV.
    static let bt709 = [0.64, 0.33, 0.30, 0.60, 0.15, 0.06] + d65
    /// The primaries of UHDTV.
    static let bt2020 = [0.708, 0.292, 0.170, 0.797, 0.131, 0.046] + d65
    /// The primaries of Display P3.
    static let displayP3 = [0.680, 0.320, 0.265, 0.690, 0.150, 0.060] + d65

    /// Returns the primaries of a code point of Rec. ITU-T H.273, table 2; `nil` if undefined.
    static func primaries(_ code: Int) -> [Double]? {
        switch code {
        case 1: bt709
        case 4: [0.67, 0.33, 0.21, 0.71, 0.14, 0.08, 0.310, 0.316]
        case 5: [0.64, 0.33, 0.29, 0.60, 0.15, 0.06] + d65
        case 6, 7: [0.630, 0.340, 0.310, 0.595, 0.155, 0.070] + d65
        case 8: [0.681, 0.319, 0.243, 0.692, 0.145, 0.049, 0.310, 0.316]
        case 9: bt2020
        case 10: [1, 0, 0, 1, 0, 0, 1 / 3.0, 1 / 3.0]
        case 11: [0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.314, 0.351]
        case 12: displayP3
        case 22: [0.630, 0.340, 0.295, 0.605, 0.155, 0.077] + d65
        default: nil
        }
    }

    /// Whether the space is close enough to sRGB to be treated as such. A gamma of 1/0.45455 counts, because PNG
    /// files use it as an approximation of the sRGB curve.
    var isStandard: Bool {
        let standard = RGBSpace(Self.bt709, curve: .sRGB)
        let isNear = zip([red, green, blue, white], standard.points).allSatisfy {
            abs($0.x - $1.x) < 0.005 && abs($0.y - $1.y) < 0.005
        }
        return switch curve {
        case .sRGB: isNear
        case .gamma(let gamma): isNear && abs(gamma - 2.2) < 0.03
        }
    }

    private var points: [Chromaticity] { [red, green, blue, white] }

    // MARK: - XYZ

    /// The XYZ columns of red, green and blue relative to D50; `nil` if the chromaticities are degenerate.
    var columns: [[Double]]? {
        guard let adapting = adapting, let primaries = unadaptedColumns else { return nil }
        let columns = primaries.map { Self.multiply(adapting, $0) }
        return columns.joined().allSatisfy { $0.isFinite && abs($0) < 16 } ? columns : nil
    }

    /// The rows of the Bradford matrix that adapts this white point to D50 (ICC.1, annex E).
    var adapting: [[Double]]? {
        guard let white = Self.xyz(white) else { return nil }
        let from = Self.multiply(Self.bradford, white)
        let to = Self.multiply(Self.bradford, Self.d50)
        guard from.allSatisfy({ $0 > 0.01 }), let back = Self.inverse(Self.bradford) else {
            return nil
        }
        let scaled = zip(Self.bradford, zip(to, from)).map { row, cone in
            row.map { $0 * cone.0 / cone.1 }
        }
        return back.map { row in
            (0..<3).map { column in
                (0..<3).reduce(0.0) { $0 + row[$1] * scaled[$1][column] }
            }
        }
    }

    private var unadaptedColumns: [[Double]]? {
        let primaries = [red, green, blue].map { [$0.x, $0.y, 1 - $0.x - $0.y] }
        let rows = (0..<3).map { row in primaries.map { $0[row] } }
        guard let inverse = Self.inverse(rows), let white = Self.xyz(white) else { return nil }
        let amounts = Self.multiply(inverse, white)
        return zip(primaries, amounts).map { primary, amount in primary.map { $0 * amount } }
    }

    /// The D50 illuminant, rounded as in ICC profiles.
    static let d50 = [0.9642, 1, 0.8249]

    private static let bradford = [
        [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ]

    private static func xyz(_ point: Chromaticity) -> [Double]? {
        guard point.x > 0, point.y > 0.01 else { return nil }
        return [point.x / point.y, 1, (1 - point.x - point.y) / point.y]
    }

    private static func multiply(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    private static func inverse(_ matrix: [[Double]]) -> [[Double]]? {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (a, b) = ((row + 1) % 3, (row + 2) % 3)
            let (c, d) = ((column + 1) % 3, (column + 2) % 3)
            return matrix[a][c] * matrix[b][d] - matrix[a][d] * matrix[b][c]
        }
        let determinant = (0..<3).reduce(0.0) { $0 + matrix[0][$1] * minor(0, $1) }
        guard abs(determinant) > 1e-6 else { return nil }
        return (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } }
    }
}
