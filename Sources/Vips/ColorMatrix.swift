// SPDX-License-Identifier: Apache-2.0

import CPixelBlocks

/// A 3 × 3 matrix that is applied to red, green and blue in fixed-point arithmetic. Other bands are unchanged.
///
/// Coefficients are rounded to 16 fractional bits for 8-bit samples and to 24 for 16-bit samples. The sum is exact,
/// rounded to the nearest integer (half up) and clamped. A result therefore differs from the rounded real formula by at
/// most 1, and only if the formula is within 3 * 255 / 2^17 = 0.006, or 3 * 65535 / 2^25 = 0.006, of a half.
///
/// Use it as a kernel, or call `transform(_:)` for a block from another kernel.
public struct ColorMatrix: PlanarPixelKernel {
    /// The maximum sum of a row's absolute coefficients.
    public static let largestRow = 7.5

    @usableFromInline
    let byte: Coefficients

    @usableFromInline
    let word: Coefficients

    /// Creates a matrix from nine coefficients in row-major order. Row and column order is red, green, blue.
    ///
    /// - Throws: `VipsError` with `invalidValue` unless there are nine finite numbers, and no row's absolute values
    ///   add up to more than `largestRow`.
    public init(_ coefficients: [Double]) throws {
        guard coefficients.count == 9 else {
            throw Self.error("takes 9 coefficients, not \(coefficients.count)")
        }
        for row in 0..<3 {
            let sum = coefficients[row * 3..<row * 3 + 3].reduce(0) { $0 + $1.magnitude }
            guard sum <= Self.largestRow else {
                throw Self.error(
                    "the magnitudes in row \(row) add up to \(sum), which is more than \(Self.largestRow)"
                )
            }
        }
        byte = Coefficients(coefficients, fractionBits: 16)
        word = Coefficients(coefficients, fractionBits: 24)
    }

    /// Multiplies the block's first three bands. A block with fewer bands is unchanged.
    @inlinable
    public func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ block: PixelBlock<Sample>
    ) {
        guard block.bands >= 3 else { return }
        let planes = UnsafeMutableRawPointer(block.planes)
        if Sample.bitWidth == 8 {
            byte.multiplyBytes(planes, count: block.count)
        } else {
            word.multiplyWords(planes, count: block.count)
        }
    }

    private static func error(_ message: String) -> VipsError {
        VipsError(code: .invalidValue, operation: "color matrix", message: message)
    }
}
