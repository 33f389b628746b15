// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A conversion from other RGB primaries to sRGB.
///
/// The sRGB transfer function is assumed, as is usual for BT.709. Out-of-gamut colours are clipped per
/// component.
struct GamutMapping: Sendable {
    /// The RGB primaries of a video, by ISO/IEC 23091-2, table 2. All have the white point of sRGB.
    enum Primaries: Hashable {
        /// BT.601 with 625 lines.
        case bt601With625Lines
        /// BT.601 with 525 lines, and SMPTE 240M.
        case bt601With525Lines
        /// BT.2020, used by ultra-high-definition television.
        case bt2020
        /// Display P3.
        case displayP3

        /// Creates the primaries for a code point; returns `nil` if they are those of sRGB or unknown.
        init?(codePoint: Int) {
            switch codePoint {
            case 5: self = .bt601With625Lines
            case 6, 7: self = .bt601With525Lines
            case 9: self = .bt2020
            // Code point 11 has the DCI white point, which no camera writes and no player honours.
            case 11, 12: self = .displayP3
            default: return nil
            }
        }

        /// The CIE x and y coordinates of red, green and blue.
        fileprivate var chromaticities: [(x: Double, y: Double)] {
            switch self {
            case .bt601With625Lines: [(0.64, 0.33), (0.29, 0.60), (0.15, 0.06)]
            case .bt601With525Lines: [(0.630, 0.340), (0.310, 0.595), (0.155, 0.070)]
            case .bt2020: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
            case .displayP3: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
            }
        }
    }

    private static let steps = 65_535

    /// The linear light of each 16-bit value.
    private let light: [Float]
    /// The linear light of each 8-bit value.
    private let light8: [Float]
    /// The sRGB value of each step of linear light.
    private let encoded: [UInt8]
    private let matrix: [Float]

    /// Returns whether a transfer characteristic is one of standard dynamic range, all of which are shown
    /// alike. 2 is unspecified.
    static func isStandardRange(transfer: Int) -> Bool {
        [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15].contains(transfer)
    }

    /// Computes the lookup tables and the conversion matrix.
    init(_ primaries: Primaries) {
        light = (0...Self.steps).map { Self.light(Double($0) / Double(Self.steps)) }
        light8 = (0...255).map { Self.light(Double($0) / 255) }
        encoded = (0...Self.steps).map { Self.number(Double($0) / Double(Self.steps)) }
        let own = Matrix(primaries.chromaticities)
        let sRGB = Matrix([(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)])
        matrix = (sRGB.inverse * own).rows.joined().map { Float($0) }
    }

    /// Converts RGB pixels with 16 bits per sample to 8 bits per sample.
    func map(
        _ source: UnsafePointer<UInt16>, to destination: UnsafeMutablePointer<UInt8>, pixels: Int
    ) {
        for pixel in 0..<pixels {
            let from = source + pixel * 3
            write(
                light[Int(from[0])], light[Int(from[1])], light[Int(from[2])],
                to: destination + pixel * 3)
        }
    }

    /// Converts RGB pixels with 8 bits per sample in place.
    func map(_ memory: UnsafeMutablePointer<UInt8>, pixels: Int) {
        for pixel in 0..<pixels {
            let at = memory + pixel * 3
            write(light8[Int(at[0])], light8[Int(at[1])], light8[Int(at[2])], to: at)
        }
    }

    @inline(__always)
    private func write(
        _ red: Float, _ green: Float, _ blue: Float, to pixel: UnsafeMutablePointer<UInt8>
    ) {
        for band in 0..<3 {
            let mixed =
                matrix[band * 3] * red + matrix[band * 3 + 1] * green + matrix[band * 3 + 2] * blue
            pixel[band] = encoded[Int((max(0, min(1, mixed)) * Float(Self.steps)).rounded())]
        }
    }

    /// Returns the linear light, 0...1, of an sRGB value (IEC 61966-2-1).
    private static func light(_ number: Double) -> Float {
        Float(number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4))
    }

    /// Returns the 8-bit sRGB value of linear light.
    private static func number(_ light: Double) -> UInt8 {
        let number = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((number * 255).rounded())
    }
}

/// A 3×3 matrix.
private struct Matrix {
    let rows: [[Double]]

    init(rows: [[Double]]) { self.rows = rows }

    /// Creates the matrix from RGB to CIE XYZ. Equal components give the white point D65 (SMPTE RP 177).
    init(_ chromaticities: [(x: Double, y: Double)]) {
        let columns = chromaticities.map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let plain = Matrix(rows: (0..<3).map { row in columns.map { $0[row] } })
        let (x, y) = (0.3127, 0.3290)
        let white = [x / y, 1, (1 - x - y) / y]
        let parts = plain.inverse.rows.map { row in zip(row, white).map(*).reduce(0, +) }
        rows = plain.rows.map { row in zip(row, parts).map(*) }
    }

    /// The inverse, computed by cofactors. It exists because primaries are never collinear.
    var inverse: Matrix {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (a, b) = ((row + 1) % 3, (row + 2) % 3)
            let (c, d) = ((column + 1) % 3, (column + 2) % 3)
            return rows[a][c] * rows[b][d] - rows[a][d] * rows[b][c]
        }
        let determinant = (0..<3).map { rows[0][$0] * minor(0, $0) }.reduce(0, +)
        return Matrix(
            rows: (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } })
    }

    static func * (left: Matrix, right: Matrix) -> Matrix {
        Matrix(
            rows: left.rows.map { row in
                (0..<3).map { column in
                    (0..<3).map { row[$0] * right.rows[$0][column] }.reduce(0, +)
                }
            })
    }
}
