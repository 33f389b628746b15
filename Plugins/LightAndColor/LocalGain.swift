// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A factor for light that depends on the light around a pixel, as in a tone equalizer: darktable's manual describes the
/// principle.
struct LocalGain {
    let highlights: Double
    let shadows: Double
    let brilliance: Double
    /// The stops that exposure adds before.
    let exposure: Double

    /// The darkest light that is distinguished, 14 stops below white.
    static let leastLight = 0x1p-14

    /// Returns the factor for the light of the base layer, 0...1.
    func callAsFunction(_ light: Double) -> Double {
        let stops = log2(max(light, Self.leastLight)) + exposure
        let dark = 1 - Self.step(stops, from: -6, to: -1.5)
        let bright = Self.step(stops, from: -3, to: 0)
        return exp2(
            1.5 * shadows * dark + 0.75 * highlights * bright
                + brilliance * (0.6 * dark - 0.3 * bright))
    }

    /// A smooth step from 0 to 1: 3t² - 2t³.
    private static func step(_ value: Double, from start: Double, to end: Double) -> Double {
        let t = min(max((value - start) / (end - start), 0), 1)
        return t * t * (3 - 2 * t)
    }
}
