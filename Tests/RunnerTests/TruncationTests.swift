// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import TestSupport
import Vips

/// Truncated files are errors, never partial pictures.
@Suite struct TruncationTests {
    private static let savers: [(String, [String: OperationValue])] = [
        ("jpeg", ["Q": 90]), ("jpeg", ["Q": 90, "interlace": true]), ("png", [:]),
        ("png", ["interlace": true]), ("tiff", ["compression": "deflate"]),
        ("tiff", ["compression": "none"]), ("webp", ["lossless": true]), ("webp", ["Q": 80]),
        ("heif", ["Q": 80]), ("jxl", ["Q": 80]), ("gif", [:]),
    ]

    private func expectRefused(
        _ runner: TestRunner, _ bytes: [UInt8], _ comment: Comment
    ) throws {
        let file = try TestFile(bytes)
        for output in [RenderOutput.facts, .encoded(EncodeSettings(format: .png))] {
            let job = RenderJob(input: RenderInput(base: .encoded(.unknown)), output: output)
            let target = try TestFile()
            let reply = try withExtendedLifetime(target) {
                try runner.request(.run(job), [(.base, file.number), (.output, target.number)])
            }
            guard case .failed(let failure) = reply else {
                Issue.record("\(comment): \(reply)")
                continue
            }
            #expect(
                [.badInput, .blockedFormat].contains(failure.code), "\(comment): \(failure)")
        }
    }

    @Test("a file truncated at each tenth is rejected", arguments: savers.indices)
    func generated(_ index: Int) throws {
        let (saver, options) = Self.savers[index]
        // Noise, so that pixels make up most of the file.
        try VipsLibrary.initialize()
        var state: UInt32 = 1
        let samples = (0..<160 * 120 * 3).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        let noise = try Image(
            bytes: samples, width: 160, height: 120, bands: 3, format: .uchar,
            interpretation: .srgb)
        let bytes = try noise.encoded(saver: "\(saver)save_buffer", options: options)
        let runner = try TestRunner()
        for part in 1..<10 {
            let length = bytes.count * part / 10
            try expectRefused(
                runner, Array(bytes.prefix(length)), "\(saver) \(options.keys) \(part)/10")
        }
    }

    @Test(
        "a phone's HEIC truncated at each tenth is rejected",
        .corpus)
    func heic() throws {
        let folder = try #require(BuildProducts.corpus)
        let bytes = try TestFile(path: "\(folder)/photos/heic/IMG_0102.HEIC").bytes
        let runner = try TestRunner()
        for part in 1..<10 {
            try expectRefused(
                runner, Array(bytes.prefix(bytes.count * part / 10)), "HEIC \(part)/10")
        }
    }
}
