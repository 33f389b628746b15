// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An independent implementation of Rec. ITU-R BT.2100, BT.2087 and Report BT.2390.
public enum HighDynamicRangeFormulas {
    private static func pq(_ number: Double) -> Double {
        let power = pow(number, 32.0 / 2523)
        return 10_000
            * pow(
                max(power - 107.0 / 128, 0) / (2413.0 / 128 - 2392.0 / 128 * power),
                8192.0 / 1305)
    }
    private static func pqNumber(_ light: Double) -> Double {
        let power = pow(light / 10_000, 1305.0 / 8192)
        return pow(
            (107.0 / 128 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
    }
    private static func hlg(_ rgb: [Double]) -> [Double] {
        let scene = rgb.map {
            $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - 0.55991073) / 0.17883277) + 0.28466892) / 12
        }
        let luminance = 0.2627 * scene[0] + 0.678 * scene[1] + 0.0593 * scene[2]
        return scene.map { 1000 * $0 * pow(luminance, 0.2) }
    }
    private static func mapped(_ light: Double) -> Double {
        let top = pqNumber(203) / pqNumber(1000)
        let knee = 1.5 * top - 0.5
        let number = pqNumber(light) / pqNumber(1000)
        if number < knee { return light }
        let t = (number - knee) / (1 - knee)
        let curve =
            (2 * t * t * t - 3 * t * t + 1) * knee
            + (t * t * t - 2 * t * t + t) * (1 - knee) + (3 * t * t - 2 * t * t * t) * top
        return pq(curve * pqNumber(1000))
    }
    /// Converts red, green and blue of BT.2020 to sRGB, 0...255.
    ///
    /// - Parameters:
    ///   - rgb: The encoded samples, 0...1.
    ///   - transfer: `PQ` or `HLG`.
    public static func sRGB(_ rgb: [Double], _ transfer: String) -> [Double] {
        sRGB(transfer == "PQ" ? rgb.map { min(1000, pq($0)) } : hlg(rgb))
    }

    /// Converts light in cd/m² to sRGB, 0...255.
    private static func sRGB(_ light: [Double]) -> [Double] {
        let greatest = light.max() ?? 0
        let factor = greatest > 0 ? mapped(greatest) / 203 / greatest : 0
        let matrix = [
            [1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187],
        ]
        return matrix.map { row in
            let part = min(1, max(0, zip(row, light).reduce(0) { $0 + $1.0 * $1.1 * factor }))
            return 255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * pow(part, 1 / 2.4) - 0.055)
        }
    }
}
