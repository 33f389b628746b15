// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The formulas of Detail in double precision, at full size, for pictures whose longer side is below 1024.
struct DetailOracle {
    var sharpen = 0.0
    var radius = 1.0
    var edges = 0.0
    var definition = 0.0
    var luminanceNoise = 0.0
    var colorNoise = 0.0

    private static let weights = [0.2126, 0.7152, 0.0722]
    private static let spline = [3.0 / 8, 1.0 / 4, 1.0 / 16]

    init(_ values: [String: Double]) {
        sharpen = values["sharpen"] ?? 0
        radius = values["radius"] ?? 1
        edges = values["edges"] ?? 0
        definition = values["definition"] ?? 0
        luminanceNoise = values["luminanceNoise"] ?? 0
        colorNoise = values["colorNoise"] ?? 0
    }

    /// The edited samples of red, green and blue, 0...1.
    func edited(_ samples: [[Double]], width: Int, height: Int) -> [[Double]] {
        func luma(_ index: Int) -> Double {
            (0..<3).reduce(0) { $0 + Self.weights[$1] * samples[$1][index] }
        }
        let original = PaddedPlane(width: width, height: height) { luma($1 * width + $0) }
        let clean = cleaned(original, 0.03 * luminanceNoise)
        let change = luminanceChange(of: clean, original: original)
        var differences: [[Double]] = [[], []]
        for (place, band) in [0, 2].enumerated() {
            let before = PaddedPlane(width: width, height: height) {
                samples[band][$1 * width + $0] - luma($1 * width + $0)
            }
            let after = cleaned(before, 0.05 * colorNoise)
            for y in 0..<height {
                for x in 0..<width { differences[place].append(after[x, y] - before[x, y]) }
            }
        }
        var result = samples
        for index in change.indices {
            let (red, blue) = (differences[0][index], differences[1][index])
            // Luma of these three differences is 0.
            let green = -(Self.weights[0] * red + Self.weights[2] * blue) / Self.weights[1]
            for (band, difference) in [red, green, blue].enumerated() {
                result[band][index] += change[index] + difference
            }
        }
        return result
    }

    /// What is added to luma.
    private func luminanceChange(of clean: PaddedPlane, original: PaddedPlane) -> [Double] {
        let (width, height) = (clean.width, clean.height)
        let weights = gaussian
        let detail = clean.merged(with: clean.convolved(weights)) { $0 - $1 }
        let energy = detail.merged(with: detail) { $0 * $1 }.convolved(weights)
        let variance = 0.03 * edges * 0.03 * edges
        let longer = Double(max(width, height))
        let filter = GuidedFilter(
            radius: Int((0.03 * longer).rounded()), edge: 0.01, width: width, height: height)
        var luma: [Double] = []
        for y in 0..<height { for x in 0..<width { luma.append(original[x, y]) } }
        let (slopes, offsets) =
            definition == 0 ? (luma, luma) : filter.coefficients(of: luma)
        var result: [Double] = []
        for y in 0..<height {
            for x in 0..<width {
                var change = clean[x, y] - original[x, y]
                let (d, e) = (detail[x, y], energy[x, y])
                let mask = edges == 0 ? 1 : e / (e + variance)
                change += 2.5 * sharpen * mask * d / (1 + abs(d) / 0.1)
                if definition != 0 {
                    let index = y * width + x
                    let base = slopes[index] * clean[x, y] + offsets[index]
                    let weight = 1 - pow(2 * clean[x, y] - 1, 4)
                    change += 0.8 * definition * weight * (clean[x, y] - base)
                }
                result.append(change)
            }
        }
        return result
    }

    /// A Gaussian function up to three standard deviations, from its centre.
    private var gaussian: [Double] {
        let values = (0...Int((3 * radius).rounded(.up))).map { distance in
            exp(-0.5 * pow(Double(distance) / radius, 2))
        }
        let sum = 2 * values.reduce(0, +) - values[0]
        return values.map { $0 / sum }
    }

    /// The plane without noise of a standard deviation.
    private func cleaned(_ plane: PaddedPlane, _ deviation: Double) -> PaddedPlane {
        guard deviation > 0 else { return plane }
        var (result, fine) = (plane, plane)
        for (level, share) in [0.889, 0.2, 0.086, 0.041, 0.02].enumerated() {
            let step = 1 << level
            let coarse = fine.convolved(Self.spline, step: step)
            let detail = fine.merged(with: coarse) { $0 - $1 }
            // Means of five numbers in both directions.
            let energy = detail.merged(with: detail) { $0 * $1 }
                .convolved([0.2, 0.2, 0.2], step: step)
            let noise = detail.merged(with: energy) { d, e in
                e > 0 ? d * min(pow(deviation * share, 2) / e, 1) : d
            }
            result = result.merged(with: noise) { $0 - $1 }
            fine = coarse
        }
        return result
    }
}
