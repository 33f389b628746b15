// SPDX-License-Identifier: Apache-2.0

import CDetail
import Glibc

/// The weights of a Gaussian blur, truncated at three standard deviations.
struct GaussianWeights {
    /// The distance of the last weight from the centre, in pixels.
    let radius: Int
    /// The weights from the centre to that distance, followed by zeros. The weights of both sides add up to 1.
    let weights: [Double]

    /// - Parameter deviation: The standard deviation in pixels, at most 3.
    init(deviation: Double) {
        let deviation = min(max(deviation, 0x1p-16), Double(DT_RADIUS) / 3)
        let radius = max(Int((3 * deviation).rounded(.up)), 1)
        let values = (0...Int(DT_RADIUS)).map { distance in
            distance > radius
                ? 0 : exp(-Double(distance * distance) / (2 * deviation * deviation))
        }
        let sum = 2 * values.reduce(0, +) - values[0]
        self.radius = radius
        weights = values.map { $0 / sum }
    }
}
