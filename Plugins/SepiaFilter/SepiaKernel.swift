// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI

/// The sepia matrix in fixed-point arithmetic; a fourth band, alpha, stays as it is.
///
/// A coefficient is rounded to 16 fractional bits for 8-bit samples and to 24 for 16-bit ones, a
/// sum to the nearest whole number, half up. The error before that last rounding is at most
/// 3 * 255 / 2^17 = 0.006 or 3 * 65535 / 2^25 = 0.006, so a result differs from the rounded real
/// formula by at most 1, and only where that formula is that near to a half.
struct SepiaKernel: PixelKernel {
    private let matrix: [Double]

    init(intensity: Double) {
        let rest = 1 - intensity
        matrix = [
            0.393 + 0.607 * rest, 0.769 - 0.769 * rest, 0.189 - 0.189 * rest,
            0.349 - 0.349 * rest, 0.686 + 0.314 * rest, 0.168 - 0.168 * rest,
            0.272 - 0.272 * rest, 0.534 - 0.534 * rest, 0.131 + 0.869 * rest,
        ]
    }

    func transform<Sample: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ source: UnsafePointer<Sample>, to destination: UnsafeMutablePointer<Sample>,
        pixels: Int, bands: Int
    ) {
        // The largest sum, 1.351 * 255 * 2^16, fits 32 bits; 16-bit samples need 64.
        if Sample.bitWidth == 8 {
            let matrix = FixedPointMatrix<UInt32>(matrix, fractionBits: 16)
            matrix.transform(source, to: destination, pixels: pixels, bands: bands)
        } else {
            let matrix = FixedPointMatrix<UInt64>(matrix, fractionBits: 24)
            matrix.transform(source, to: destination, pixels: pixels, bands: bands)
        }
    }
}
