// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The formulas of Light and Color in double precision, for pictures with the curve of sRGB.
struct LightAndColorOracle {
    var exposure = 0.0
    var brilliance = 0.0
    var highlights = 0.0
    var shadows = 0.0
    var contrast = 0.0
    var brightness = 0.0
    var blackPoint = 0.0
    var saturation = 0.0
    var vibrance = 0.0
    var warmth = 0.0
    var tint = 0.0

    var primaries = Primaries.sRGB

    /// The primaries of a picture.
    struct Primaries {
        /// From light to XYZ relative to D65.
        let toXYZ: [[Double]]

        /// The shares of red, green and blue in luminance: the Y of each, adapted to the D50 of ICC profiles.
        var luminance: [Double] {
            let bradford = LightAndColorOracle.bradford
            let from = product(bradford, product(toXYZ, [1, 1, 1]))
            let to = product(bradford, [0.9642, 1, 0.8249])
            return (0..<3).map { band in
                let cones = product(bradford, toXYZ.map { $0[band] })
                return solution(of: bradford, (0..<3).map { cones[$0] * to[$0] / from[$0] })[1]
            }
        }

        /// IEC 61966-2-1.
        static let sRGB = Primaries(toXYZ: [
            [0.4123907993, 0.3575843394, 0.1804807884],
            [0.2126390059, 0.7151686788, 0.0721923154],
            [0.0193308187, 0.1191947798, 0.9505321522],
        ])
        /// The numbers in the profile of Display P3 that libvips contains: columns relative to D50.
        static let displayP3 = Primaries(columns: [
            [0.51512146, 0.24119568, 0], [0.29197693, 0.69224548, 0.04182434],
            [0.15710449, 0.06655884, 0.78308105],
        ])

        init(toXYZ: [[Double]]) { self.toXYZ = toXYZ }

        /// Adapts the columns of a profile to D65.
        private init(columns: [[Double]]) {
            let bradford = LightAndColorOracle.bradford
            let from = product(bradford, [0.9642, 1, 0.8249])
            let to = product(bradford, product(Self.sRGB.toXYZ, [1, 1, 1]))
            let adapted = columns.map { column in
                let cones = product(bradford, column)
                return solution(of: bradford, (0..<3).map { cones[$0] * to[$0] / from[$0] })
            }
            toXYZ = (0..<3).map { row in adapted.map { $0[row] } }
        }
    }

    /// The responses of cones to XYZ.
    static let bradford = [
        [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ]

    static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// Cramer's rule.
    static func solution(of matrix: [[Double]], _ right: [Double]) -> [Double] {
        func determinant(_ m: [[Double]]) -> Double {
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        }
        return (0..<3).map { column in
            var changed = matrix
            for row in 0..<3 { changed[row][column] = right[row] }
            return determinant(changed) / determinant(matrix)
        }
    }

    static func light(_ v: Double) -> Double {
        v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    }

    static func encoded(_ v: Double) -> Double {
        let v = min(max(v, 0), 1)
        return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055
    }

    /// The encoded values, 0...1, of a pixel.
    ///
    /// - Parameters:
    ///   - pixel: Its encoded values before.
    ///   - base: The base layer at the pixel.
    func edited(_ pixel: [Double], base: Double = 1) -> [Double] {
        let weights = primaries.luminance
        var c = pixel.map { Self.light($0) * exp2(exposure) * gain(base) }
        if warmth != 0 || tint != 0 { c = whiteBalanced(c) }
        let y = weights[0] * c[0] + weights[1] * c[1] + weights[2] * c[2]
        let most = max(c[0], c[1], c[2])
        let rest = most > 0 ? max(min(c[0], c[1], c[2]), 0) / most : 1
        let factor = (1 + saturation) * (1 + vibrance * rest * rest)
        let e = c.map { Self.encoded(y + factor * ($0 - y)) }
        let (high, low) = (max(e[0], e[1], e[2]), min(e[0], e[1], e[2]))
        let (newHigh, newLow) = (toned(high), toned(low))
        return e.map {
            high > low ? newLow + (newHigh - newLow) * ($0 - low) / (high - low) : newHigh
        }
    }

    /// Black point, brightness and contrast.
    func toned(_ v: Double) -> Double {
        let black = 0.15 * blackPoint
        let level = black >= 0 ? max(0, v - black) / (1 - black) : -black + v * (1 + black)
        let bright = pow(level, pow(2, -brightness))
        let a = 5 * abs(contrast)
        guard a > 0 else { return bright }
        // As in ImageMagick's documentation of -sigmoidal-contrast.
        func sigmoid(_ u: Double) -> Double { 1 / (1 + exp(a * (0.5 - u))) }
        if contrast > 0 {
            return (sigmoid(bright) - sigmoid(0)) / (sigmoid(1) - sigmoid(0))
        }
        // The inverse, by bisection.
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            let value = (sigmoid(middle) - sigmoid(0)) / (sigmoid(1) - sigmoid(0))
            if value < bright { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// The factor of the local sliders for encoded luma.
    func gain(_ base: Double) -> Double {
        guard brilliance != 0 || highlights != 0 || shadows != 0 else { return 1 }
        let stops = max(log2(Self.light(base)), -14) + exposure
        func step(_ start: Double, _ end: Double) -> Double {
            let t = min(max((stops - start) / (end - start), 0), 1)
            return t * t * (3 - 2 * t)
        }
        let (dark, bright) = (1 - step(-6, -1.5), step(-3, 0))
        return exp2(
            shadows * 1.5 * dark + highlights * 0.75 * bright
                + brilliance * (0.6 * dark - 0.3 * bright))
    }

    /// Bradford adaptation between whites of daylight, in XYZ relative to the primaries' own white.
    private func whiteBalanced(_ c: [Double]) -> [Double] {
        // The adaptation to D50 and back cancels out.
        let toXYZ = primaries.toXYZ
        let cones = (0..<3).map { row in
            (0..<3).map { column in
                (0..<3).reduce(0) { $0 + Self.bradford[row][$1] * toXYZ[$1][column] }
            }
        }
        let standard = 1e6 / 6504
        let from = Self.product(Self.bradford, Self.white(standard, 0))
        let to = Self.product(Self.bradford, Self.white(standard + 80 * warmth, 0.02 * tint))
        let adapted = Self.product(cones, c).enumerated().map { $1 * to[$0] / from[$0] }
        return Self.solution(of: cones, adapted)
    }

    /// XYZ of a white: CIE 15's daylight, moved towards magenta in CIE 1960 u, v.
    private static func white(_ mired: Double, _ distance: Double) -> [Double] {
        func place(_ kelvin: Double) -> (Double, Double) {
            let t = 1000 / kelvin
            let x =
                kelvin <= 7000
                ? 0.244063 + 0.09911 * t + 2.9678 * t * t - 4.6070 * t * t * t
                : 0.237040 + 0.24748 * t + 1.9018 * t * t - 2.0064 * t * t * t
            let y = -3 * x * x + 2.87 * x - 0.275
            return (4 * x / (-2 * x + 12 * y + 3), 6 * y / (-2 * x + 12 * y + 3))
        }
        let (u, v) = place(1e6 / mired)
        let (before, after) = (place(1e6 / (mired - 0.1)), place(1e6 / (mired + 0.1)))
        let (du, dv) = (after.0 - before.0, after.1 - before.1)
        let length = hypot(du, dv)
        let (u2, v2) = (u + dv / length * distance, v - du / length * distance)
        let (x, y) = (3 * u2 / (2 * u2 - 8 * v2 + 4), 2 * v2 / (2 * u2 - 8 * v2 + 4))
        return [x / y, 1, (1 - x - y) / y]
    }
}
