// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Tone mapping from HDR pictures to sRGB.
///
/// Light is computed as shown by a display of 1000 cd/m² (Rec. ITU-R BT.2100; for hybrid log-gamma with a system
/// gamma of 1.2). It is compressed to 203 cd/m², the reference white of graphics (Report ITU-R BT.2408), along the
/// curve of Report ITU-R BT.2390. Light below 90 cd/m² is unchanged. All three components are scaled by the factor
/// of the greatest, which preserves hues.
package struct ToneMapping: Sendable {
    private static let peak: Float = 1000
    private static let white: Float = 203
    private static let steps = 65_535

    private let range: HighDynamicRange
    /// The light of each code value, relative to the peak. For hybrid log-gamma it is scene light.
    private let light: [Float]
    /// The factor for a pixel, indexed by its highest component in steps of the peak. The result is relative to
    /// white.
    private let gain: [Float]
    /// The 16-bit sRGB code value, indexed by steps of light.
    private let encoded: [UInt16]
    /// The 8-bit sRGB code value, indexed by steps of light.
    private let encoded8: [UInt8]
    private let matrix: [Float]
    private let luminance: [Float]

    /// Computes the lookup tables.
    ///
    /// - Parameter white: The code value that represents 1.
    package init(_ range: HighDynamicRange, white: Int = 65_535) {
        self.range = range
        let parts = (0...Self.steps).map { Float($0) / Float(Self.steps) }
        light = (0...Self.steps).map { min(1, Float($0) / Float(max(1, white))) }.map {
            range.transfer == .pq ? min(1, Self.pq(toLight: $0) / Self.peak) : Self.hlg($0)
        }
        gain = parts.map(Self.gain)
        encoded = parts.map { UInt16(($0.encodedAsSRGB * 65_535).rounded()) }
        encoded8 = parts.map { UInt8(($0.encodedAsSRGB * 255).rounded()) }
        matrix = range.primaries.toBT709
        luminance = range.primaries.luminance
    }

    /// Maps 16-bit pixels. Bands after the third are unchanged.
    package func map(
        _ source: UnsafePointer<UInt16>, to destination: UnsafeMutablePointer<UInt16>,
        pixels: Int, bands: Int
    ) {
        map(source, to: destination, pixels, bands, encoded)
    }

    /// Maps 16-bit RGB pixels to 8-bit pixels.
    package func map(
        _ source: UnsafePointer<UInt16>, to destination: UnsafeMutablePointer<UInt8>, pixels: Int
    ) {
        map(source, to: destination, pixels, 3, encoded8)
    }

    @inline(__always)
    private func map<Sample: FixedWidthInteger>(
        _ source: UnsafePointer<UInt16>, to destination: UnsafeMutablePointer<Sample>,
        _ pixels: Int, _ bands: Int, _ encoded: [Sample]
    ) {
        for pixel in 0..<pixels {
            let from = source + pixel * bands
            let to = destination + pixel * bands
            var red = light[Int(from[0])]
            var green = light[Int(from[1])]
            var blue = light[Int(from[2])]
            if range.transfer == .hlg {
                let scene = luminance[0] * red + luminance[1] * green + luminance[2] * blue
                // The system gamma of a display of 1000 cd/m².
                let factor = powf(scene, 0.2)
                (red, green, blue) = (red * factor, green * factor, blue * factor)
            }
            let greatest = min(1, max(red, green, blue))
            let factor = gain[Int(greatest * Float(Self.steps))]
            (red, green, blue) = (red * factor, green * factor, blue * factor)
            for band in 0..<3 {
                let mixed =
                    matrix[band * 3] * red + matrix[band * 3 + 1] * green
                    + matrix[band * 3 + 2] * blue
                let step = max(0, min(1, mixed)) * Float(Self.steps)
                to[band] = encoded[Int(step.rounded())]
            }
            for band in 3..<max(3, bands) { to[band] = Sample(truncatingIfNeeded: from[band]) }
        }
    }

    // MARK: - Curves

    /// Returns the light in cd/m² of a PQ code value, 0...1 (BT.2100, table 4).
    private static func pq(toLight number: Float) -> Float {
        let power = pow(Double(number), 1 / 78.84375)
        let part = max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)
        return Float(10_000 * pow(part, 1 / 0.1593017578125))
    }

    /// Returns the PQ code value, 0...1, of light in cd/m².
    private static func pq(of light: Float) -> Float {
        let power = pow(Double(light) / 10_000, 0.1593017578125)
        return Float(pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375))
    }

    /// Returns the scene light, 0...1, of a hybrid log-gamma code value (BT.2100, table 5).
    private static func hlg(_ number: Float) -> Float {
        if number <= 0.5 { return number * number / 3 }
        return (exp((number - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    /// Returns the factor of the curve of BT.2390, 5.4, without black level lift.
    private static func gain(_ part: Float) -> Float {
        guard part > 0 else { return peak / white }
        let greatest = pq(of: white) / pq(of: peak)
        let knee = 1.5 * greatest - 0.5
        let number = pq(of: part * peak) / pq(of: peak)
        guard number > knee else { return peak / white }
        let t = (number - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let mapped =
            (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee)
            + (-2 * t3 + 3 * t2) * greatest
        return pq(toLight: mapped * pq(of: peak)) / white / part
    }
}

extension Float {
    /// The sRGB encoding (IEC 61966-2-1) of light, 0...1.
    fileprivate var encodedAsSRGB: Float {
        self <= 0.0031308 ? 12.92 * self : 1.055 * pow(self, 1 / 2.4) - 0.055
    }
}

extension HighDynamicRange.Primaries {
    /// The matrix from these primaries to those of BT.709 and sRGB, in row-major order (Rec. ITU-R BT.2087; for
    /// Display P3 from its primaries in SMPTE EG 432-1, with the same white).
    fileprivate var toBT709: [Float] {
        switch self {
        case .bt709: [1, 0, 0, 0, 1, 0, 0, 0, 1]
        case .bt2020:
            [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187]
        case .displayP3:
            [1.2249, -0.2247, 0, -0.0420, 1.0419, 0, -0.0197, -0.0786, 1.0979]
        }
    }

    /// The luminance of red, green and blue.
    fileprivate var luminance: [Float] {
        switch self {
        case .bt709: [0.2126, 0.7152, 0.0722]
        case .bt2020: [0.2627, 0.6780, 0.0593]
        case .displayP3: [0.2290, 0.6917, 0.0793]
        }
    }
}
