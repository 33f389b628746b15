// SPDX-License-Identifier: Apache-2.0

import CColorMixer
import Glibc

/// The change for any hue: that of a named hue at its centre, with a smooth transition between neighbouring hues.
struct HueChanges {
    /// The rotation in degrees for a hue slider of 1.
    static let degreesOfHue = 30.0
    /// The change of lightness for a lightness slider of 1.
    static let lightnessOfSlider = 0.3
    /// The change of lightness for a weight of 1.
    static let lightnessOfWeight = 0.5

    private let hues: [ColorMixer.HueChange]
    private let isGray: Bool

    init(_ mixer: ColorMixer) {
        hues = mixer.hues
        isGray = mixer.blackAndWhite
    }

    /// Returns the change for a hue, which is in radians.
    func change(atHue radians: Double) -> cm_change {
        let degrees = radians * 180 / .pi
        let after = hues.firstIndex { $0.degrees > degrees } ?? 0
        let (first, second) = (hues[(after + hues.count - 1) % hues.count], hues[after])
        let distance = Self.normalizedDegrees(second.degrees - first.degrees)
        let share = (1 - cos(.pi * Self.normalizedDegrees(degrees - first.degrees) / distance)) / 2
        func mixed(_ value: (ColorMixer.HueChange) -> Double) -> Double {
            value(first) * (1 - share) + value(second) * share
        }
        if isGray {
            return cm_change(
                along: 0, across: 0, lightness: Float(mixed(\.weight) * Self.lightnessOfWeight))
        }
        let angle = mixed(\.hue) * Self.degreesOfHue * .pi / 180
        let factor = 1 + mixed(\.saturation)
        return cm_change(
            along: Float(factor * cos(angle)), across: Float(factor * sin(angle)),
            lightness: Float(mixed(\.lightness) * Self.lightnessOfSlider))
    }

    /// Returns the equivalent angle from 0 to 360 degrees.
    private static func normalizedDegrees(_ degrees: Double) -> Double {
        degrees < 0 ? degrees + 360 : degrees
    }
}
