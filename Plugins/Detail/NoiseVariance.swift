// SPDX-License-Identifier: Apache-2.0

import CDetail
import Glibc

/// The variance of white noise at each scale of the starlet transform.
struct NoiseVariance {
    /// The variances from the finest to the coarsest scale, relative to the range of the samples.
    let levels: [Double]

    /// The standard deviation at each scale of white noise whose standard deviation is 1: the square roots of the sums
    /// of the squared coefficients of the filters.
    private static let deviations = [0.889, 0.200, 0.086, 0.041, 0.020]

    /// Computes the variances for a reduced picture, in which noise is weaker and has fewer scales.
    ///
    /// - Parameters:
    ///   - deviation: The standard deviation of the noise in the photo.
    ///   - scale: The width of the picture relative to the photo's.
    init(deviation: Double, scale: Double) {
        let scale = min(max(scale, 0x1p-16), 1)
        let count = Double(Int(DT_LEVELS)) + log2(scale)
        levels = Self.deviations.enumerated().map { level, share in
            let present = min(max(count - Double(level), 0), 1)
            let level = deviation * scale * share
            return level * level * present
        }
    }
}
