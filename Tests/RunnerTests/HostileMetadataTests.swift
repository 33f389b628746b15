// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing
import Vips

/// Malicious metadata.
@Suite struct HostileMetadataTests {
    private func word(_ number: Int, _ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// A TIFF file whose EXIF directory has thousands of values that share one megabyte.
    private func sharedValues() throws -> [UInt8] {
        var bytes = try TestPicture.image(width: 600, height: 600)
            .encoded(saver: "tiffsave_buffer", options: ["compression": "none"])
        if bytes.count % 2 == 1 { bytes.append(0) }
        let exif = bytes.count
        bytes += word(4000, 2)
        for index in 0..<4000 {
            bytes += word(0x9100 + index, 2) + word(7, 2) + word(1_000_000, 4) + word(8, 4)
        }
        bytes += word(0, 4)
        let old = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
        let count = Int(bytes[old]) | Int(bytes[old + 1]) << 8
        let entries = Array(bytes[old + 2..<old + 2 + count * 12])
        bytes.replaceSubrange(4..<8, with: word(bytes.count, 4))
        bytes += word(count + 1, 2) + entries
        return bytes + word(0x8769, 2) + word(4, 2) + word(1, 4) + word(exif, 4) + word(0, 4)
    }

    @Test("thousands of tags that share a megabyte do not take gigabytes")
    func amplification() throws {
        let bytes = try sharedValues()
        let base = try TestFile(bytes)
        let runner = try TestRunner()
        for format: MediaFormat in [.tiff, .jpeg] {
            let output = try TestFile()
            let job = RenderJob(
                input: RenderInput(base: .encoded(.unknown)),
                output: .encoded(EncodeSettings(format: format)))
            let reply = try runner.request(
                .run(job),
                [
                    (.base, base.number), (.metadataSource, base.number),
                    (.output, output.number),
                ])
            guard case .rendered(let report) = reply else { throw unexpected(reply) }
            #expect(report.byteCount < bytes.count + 2 << 20)
            #expect(try output.image().width == 600)
        }
    }
}
