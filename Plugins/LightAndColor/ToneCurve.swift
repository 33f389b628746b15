// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A curve from encoded values to encoded values, 0...1: black point, brightness and contrast, in this order.
struct ToneCurve {
    /// The levels of the black point: an encoded value is multiplied by `scale`, and `offset` is added. Results below 0 are
    /// black.
    let levels: (scale: Double, offset: Double)
    private let exponent: Double
    private let steepness: Double
    private let isInverse: Bool

    /// The level that a black point of 1 makes black, and that black becomes with -1.
    static let levelOfBlackPoint = 0.15
    /// ImageMagick's contrast for 1.
    static let steepnessOfContrast = 5.0

    /// Creates a curve from values of -1...1.
    init(blackPoint: Double, brightness: Double, contrast: Double) {
        let black = blackPoint * Self.levelOfBlackPoint
        levels = black >= 0 ? (1 / (1 - black), -black / (1 - black)) : (1 + black, -black)
        exponent = exp2(-brightness)
        steepness = contrast.magnitude * Self.steepnessOfContrast
        isInverse = contrast < 0
    }

    /// Brightness and contrast of a value after the levels.
    func callAsFunction(_ value: Double) -> Double { contrasted(pow(value, exponent)) }

    /// ImageMagick's `-sigmoidal-contrast` about 0.5, or its inverse `+sigmoidal-contrast`.
    private func contrasted(_ value: Double) -> Double {
        // The limit of both is the value.
        guard steepness > 1e-6 else { return value }
        let (low, high) = (sigmoid(0), sigmoid(1))
        if !isInverse { return (sigmoid(value) - low) / (high - low) }
        let level = low + value * (high - low)
        return 0.5 - log(1 / level - 1) / steepness
    }

    private func sigmoid(_ value: Double) -> Double { 1 / (1 + exp(steepness * (0.5 - value))) }
}
