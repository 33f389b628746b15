// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// PQ and HLG pictures without a profile.
@Suite("high dynamic range")
struct HighDynamicRangeTests {
    private static func rendered(_ bytes: [UInt8], _ output: RenderOutput) throws -> (
        RenderReport, TestFile
    ) {
        let (file, target) = (try TestFile(bytes), try TestFile())
        let job = RenderJob(input: RenderInput(base: .encoded(.heic)), output: output)
        let reply = try withExtendedLifetime(file) {
            try TestRunner().request(.run(job), [(.base, file.number), (.output, target.number)])
        }
        guard case .rendered(let report) = reply else { throw unexpected(reply) }
        return (report, target)
    }

    @Test(
        "PQ and HLG are mapped to sRGB range by the standards' formulas, and reported",
        arguments: ["PQ", "HLG"])
    func mapped(name: String) throws {
        var bytes = try HighDynamicRangePicture.bytes()
        let place = try #require(bytes.firstRange(of: Array("colrnclx".utf8))).upperBound
        if name == "HLG" { bytes[place + 3] = 18 }
        let settings = EncodeSettings(format: .png, bitsPerSample: 16)
        let (report, target) = try Self.rendered(bytes, .encoded(settings))
        #expect(report.warnings == ["its high dynamic range (\(name)) was reduced to that of sRGB"])
        #expect(report.facts?.mediaSubtypes.contains(.photoHDR) == true)
        let image = try target.image()
        #expect(image.format == .ushort && !image.hasProfile)
        let samples = try image.samples()
        for (square, number) in HighDynamicRangePicture.numbers.enumerated() {
            for (row, others) in [(4, number), (12, number * 3 / 4)] {
                let rgb = [number, others, others].map { Double($0) / 1023 }
                for (band, expected) in HighDynamicRangeFormulas.sRGB(rgb, name).enumerated() {
                    let found = Double(samples[(row * 160 + square * 16 + 8) * 3 + band]) / 257
                    // libvips shifts 10 bits into 16 and leaves the low bits empty, so white is 0.1 % too dark.
                    #expect(abs(found - expected) < 1, "\(rgb), band \(band)")
                }
            }
        }
    }

    @Test("a picture without PQ keeps its numbers")
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

    @Test("random inconsistent properties do not trap")
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
                try runner.request(.run(job), [(.base, file.number)])
            }
            switch reply {
            case .rendered, .failed: break
            default: throw unexpected(reply)
            }
        }
    }
}
