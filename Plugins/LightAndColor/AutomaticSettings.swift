// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Glibc
import PictureLight

/// Values for some sliders, chosen from a picture's histogram. The others depend on taste.
///
/// They bring the median of a dark picture half of the way to middle gray without clipping more highlights, darken a bright
/// one slightly, move the darkest tones towards black, and lift large shadows. Colours become slightly more vivid.
struct AutomaticSettings {
    /// The longer side of the picture to measure, in pixels.
    static let longestSide = 512

    /// The chosen values, by the name of the slider.
    let values: [String: Double]

    /// Measures an image. Reads all of it.
    init(measuring image: Image) throws {
        let profile = try PictureProfile(of: image)
        let histogram = Self.histogram(
            of: try BaseLayer(of: image, weights: profile.luminance).luma)
        func level(_ fraction: Double) -> Double { Self.level(fraction, in: histogram) }
        func stops(_ wanted: Double, above fraction: Double) throws -> Double {
            log2(wanted / max(Double(try profile.light(of: [level(fraction)])[1][0]), 1e-3))
        }
        let toGray = try stops(0.18, above: 0.5)
        let toWhite = try stops(0.9, above: 0.99)
        // A bright picture is bright on purpose more often than a dark one is dark.
        let exposure = toGray > 0 ? min(toGray / 2, max(toWhite, 0), 1.5) : max(toGray / 5, -0.4)
        let values = [
            "exposure": exposure,
            "blackPoint": (level(0.005) - 0.02) / ToneCurve.levelOfBlackPoint,
            "shadows": 0.4 * (0.25 - level(0.25)) / 0.25,
            "highlights": -0.5 * (level(0.9) - 0.8) / 0.2,
            "vibrance": 0.15,
        ]
        let limits = ["blackPoint": 0...0.4, "shadows": 0...0.4, "highlights": -0.5...0]
        self.values = values.reduce(into: [:]) { rounded, entry in
            let range = limits[entry.key] ?? -4...4
            let value = min(max(entry.value, range.lowerBound), range.upperBound)
            // Adding 0 makes -0 positive.
            rounded[entry.key] = (value * 100).rounded() / 100 + 0
        }
    }

    /// The number of pixels in 256 ranges of luma.
    private static func histogram(of luma: [Float]) -> [Int] {
        var counts = [Int](repeating: 0, count: 256)
        for value in luma { counts[min(max(Int(value * 255 + 0.5), 0), 255)] += 1 }
        return counts
    }

    /// The luma, 0...1, that a fraction of the pixels does not exceed.
    private static func level(_ fraction: Double, in histogram: [Int]) -> Double {
        let wanted = fraction * Double(histogram.reduce(0, +))
        var sum = 0
        for (level, count) in histogram.enumerated() {
            sum += count
            if Double(sum) >= wanted { return Double(level) / 255 }
        }
        return 1
    }
}
