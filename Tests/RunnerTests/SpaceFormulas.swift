// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Vips

/// Conversion of colour spaces by plain arithmetic: to light, to XYZ by the primaries, and to sRGB.
struct SpaceFormulas: Sendable {
    /// The x and y of red, green, blue and white.
    let points: [Double]
    /// Converts a number to light, both 0...1.
    let light: @Sendable (Double) -> Double

    private static let d65 = [0.3127, 0.3290]
    static let bt709 = [0.64, 0.33, 0.30, 0.60, 0.15, 0.06] + d65
    static let displayP3 = [0.680, 0.320, 0.265, 0.690, 0.150, 0.060] + d65
    static let bt2020 = [0.708, 0.292, 0.170, 0.797, 0.131, 0.046] + d65
    static let adobeRGB = SpaceFormulas(
        points: [0.64, 0.33, 0.21, 0.71, 0.15, 0.06] + d65, light: { pow($0, 563.0 / 256) })

    /// Linear light with the primaries of sRGB.
    static let linear = SpaceFormulas(points: bt709, light: { number in number })

    /// A space with the curve of sRGB.
    static func standard(_ points: [Double]) -> SpaceFormulas {
        SpaceFormulas(points: points, light: standardLight)
    }

    /// The curve of IEC 61966-2-1.
    static let standardLight: @Sendable (Double) -> Double = {
        $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)
    }

    /// Converts a colour, 0...1, to sRGB, 0...255.
    func sRGB(_ color: [Double]) -> [Double] {
        let xyz = Self.multiply(Self.toXYZ(points), color.map(light))
        return Self.multiply(Self.inverse(Self.toXYZ(Self.bt709)), xyz).map { value in
            let part = min(1, max(0, value))
            return 255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * pow(part, 1 / 2.4) - 0.055)
        }
    }

    private static func toXYZ(_ points: [Double]) -> [[Double]] {
        let columns = (0..<3).map { index -> [Double] in
            let (x, y) = (points[index * 2], points[index * 2 + 1])
            return [x / y, 1, (1 - x - y) / y]
        }
        let rows = (0..<3).map { row in columns.map { $0[row] } }
        let white = [points[6] / points[7], 1, (1 - points[6] - points[7]) / points[7]]
        let amounts = multiply(inverse(rows), white)
        return rows.map { row in zip(row, amounts).map { $0 * $1 } }
    }

    private static func multiply(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).reduce(0.0) { $0 + $1.0 * $1.1 } }
    }

    private static func inverse(_ m: [[Double]]) -> [[Double]] {
        let first = m[1][1] * m[2][2] - m[1][2] * m[2][1]
        let second = m[1][2] * m[2][0] - m[1][0] * m[2][2]
        let third = m[1][0] * m[2][1] - m[1][1] * m[2][0]
        let all = m[0][0] * first + m[0][1] * second + m[0][2] * third
        return [
            [first, m[0][2] * m[2][1] - m[0][1] * m[2][2], m[0][1] * m[1][2] - m[0][2] * m[1][1]],
            [second, m[0][0] * m[2][2] - m[0][2] * m[2][0], m[0][2] * m[1][0] - m[0][0] * m[1][2]],
            [third, m[0][1] * m[2][0] - m[0][0] * m[2][1], m[0][0] * m[1][1] - m[0][1] * m[1][0]],
        ].map { $0.map { $0 / all } }
    }
}

/// Files that are re-encoded by a runner.
enum Reencoded {
    /// A file in another format, with the runner's report.
    static func file(
        _ file: TestFile, _ settings: EncodeSettings
    ) throws -> (file: TestFile, report: RenderReport) {
        let target = try TestFile()
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown)), output: .encoded(settings))
        let reply = try withExtendedLifetime(file) {
            try TestRunner().request(
                .run(job),
                [(.base, file.number), (.metadataSource, file.number), (.output, target.number)])
        }
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        return (target, report)
    }

    /// The samples of a file that the runner converts to sRGB, 0...255 with the precision of the output.
    static func inSRGB(_ file: TestFile) throws -> [Double] {
        var settings = EncodeSettings(format: .png, bitsPerSample: 16)
        settings.profile = .sRGB
        let image = try Self.file(file, settings).file.image()
        let scale = image.format == .ushort ? 257.0 : 1
        return try image.samples().map { Double($0) / scale }
    }
}
