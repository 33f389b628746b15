// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// PQ and HLG without a profile.
@Suite("High dynamic range")
struct HighDynamicRangeTests {
    /// The formulas of Rec. ITU-R BT.2100, BT.2087 and Report BT.2390, written once more.
    private enum Plain {
        static func pq(_ number: Double) -> Double {
            let power = pow(number, 32.0 / 2523)
            return 10_000
                * pow(
                    max(power - 107.0 / 128, 0) / (2413.0 / 128 - 2392.0 / 128 * power),
                    8192.0 / 1305)
        }
        static func pqNumber(_ light: Double) -> Double {
            let power = pow(light / 10_000, 1305.0 / 8192)
            return pow(
                (107.0 / 128 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
        }
        static func hlg(_ rgb: [Double]) -> [Double] {
            let scene = rgb.map {
                $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - 0.55991073) / 0.17883277) + 0.28466892) / 12
            }
            let luminance = 0.2627 * scene[0] + 0.678 * scene[1] + 0.0593 * scene[2]
            return scene.map { 1000 * $0 * pow(luminance, 0.2) }
        }
        static func mapped(_ light: Double) -> Double {
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
        /// 0...255, of light in cd/m².
        static func sRGB(_ light: [Double]) -> [Double] {
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

    private static func rendered(_ bytes: [UInt8], _ output: RenderOutput) throws -> (
        RenderReport, TestFile
    ) {
        let (file, target) = (try TestFile(bytes), try TestFile())
        let job = RenderJob(input: RenderInput(base: .encoded(.heic)), output: output)
        let reply = try withExtendedLifetime(file) {
            try TestRunner().ask(.run(job), [(.base, file.number), (.output, target.number)])
        }
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        return (report, target)
    }

    @Test(
        "PQ and HLG are shown in the range of sRGB, by the formulas of the standards, and it is said",
        arguments: ["PQ", "HLG"])
    func mapped(name: String) throws {
        var bytes = try HighDynamicRangePicture.bytes()
        let place = try #require(bytes.firstRange(of: Array("colrnclx".utf8))).upperBound
        if name == "HLG" { bytes[place + 3] = 18 }
        let settings = EncodeSettings(format: .png, bitsPerSample: 16)
        let (report, target) = try Self.rendered(bytes, .encoded(settings))
        #expect(report.warnings == ["its high dynamic range (\(name)) is shown in that of sRGB"])
        #expect(report.facts?.mediaSubtypes.contains(.photoHDR) == true)
        let image = try target.image()
        #expect(image.format == .ushort && !image.hasProfile)
        let samples = try image.samples()
        for (square, number) in HighDynamicRangePicture.numbers.enumerated() {
            for (row, others) in [(4, number), (12, number * 3 / 4)] {
                let rgb = [number, others, others].map { Double($0) / 1023 }
                let light = name == "PQ" ? rgb.map { min(1000, Plain.pq($0)) } : Plain.hlg(rgb)
                for (band, expected) in Plain.sRGB(light).enumerated() {
                    let found = Double(samples[(row * 160 + square * 16 + 8) * 3 + band]) / 257
                    // libvips shifts 10 bits into 16 and leaves the lowest empty: white is 0.1 % too dark.
                    #expect(abs(found - expected) < 1, "\(rgb), band \(band)")
                }
            }
        }
    }

    @Test("A picture that says nothing of PQ keeps its numbers")
    func ordinary() throws {
        var bytes = try HighDynamicRangePicture.bytes()
        let place = try #require(bytes.firstRange(of: Array("colrnclx".utf8))).upperBound
        bytes[place + 3] = 13
        let (report, target) = try Self.rendered(
            bytes, .encoded(EncodeSettings(format: .png, bitsPerSample: 16)))
        #expect(report.warnings.isEmpty)
        let samples = try target.image().samples()
        for (square, number) in HighDynamicRangePicture.numbers.enumerated() {
            #expect(samples[(4 * 160 + square * 16 + 8) * 3] == UInt16(number << 6))
        }
    }

    @Test("Properties that lie are no trap")
    func random() throws {
        let original = try HighDynamicRangePicture.bytes()
        let place = try #require(original.firstRange(of: Array("iprp".utf8))).lowerBound
        var random = SeededGenerator(seed: TestSeed.seed())
        let runner = try TestRunner()
        for _ in 0..<200 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: place - 8..<place + 300, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let job = RenderJob(input: RenderInput(base: .encoded(.heic)), output: .facts)
            let file = try TestFile(bytes)
            let reply = try withExtendedLifetime(file) {
                try runner.ask(.run(job), [(.base, file.number)])
            }
            switch reply {
            case .rendered, .failed: break
            default: throw unexpected(reply)
            }
        }
    }
}
