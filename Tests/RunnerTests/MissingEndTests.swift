// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// JPEG files without their end marker.
@Suite("JPEG without an end")
struct MissingEndTests {
    private static let kinds: [[String: OperationValue]] = [
        ["Q": 90], ["Q": 90, "interlace": true], ["Q": 75, "subsample_mode": "off"],
    ]

    private static func file(_ options: [String: OperationValue], bands: Int = 3) throws -> [UInt8]
    {
        try TestPicture.image(width: 165, height: 121, bands: bands)
            .encoded(saver: "jpegsave_buffer", options: options)
    }

    private static func reply(_ bytes: [UInt8]) throws -> RunnerReply {
        let (file, target) = (try TestFile(bytes), try TestFile())
        let job = RenderJob(
            input: RenderInput(base: .encoded(.unknown)),
            output: .encoded(EncodeSettings(format: .png)))
        return try withExtendedLifetime((file, target)) {
            try TestRunner().request(.run(job), [(.base, file.number), (.output, target.number)])
        }
    }

    @Test(
        "a JPEG without its end marker opens with a warning", arguments: kinds.indices
    )
    func opened(_ index: Int) throws {
        let options = Self.kinds[index]
        for bands in [1, 3] {
            let whole = try Self.file(options, bands: bands)
            #expect(whole.suffix(2) == [0xFF, 0xD9])
            let settings = EncodeSettings(format: .png)
            let wanted = try Reencoded.file(try TestFile(whole), settings)
            #expect(wanted.report.warnings == [])
            for bytes in [Array(whole.dropLast(2)), Array(whole.dropLast(1))] {
                let (file, report) = try Reencoded.file(try TestFile(bytes), settings)
                #expect(report.warnings == ["the file has no end marker; its pixels are complete"])
                #expect(try file.image().samples() == wanted.file.image().samples())
            }
        }
    }

    @Test(
        "a JPEG with truncated pixels is rejected, however little is missing",
        arguments: kinds.indices)
    func truncated(_ index: Int) throws {
        let options = Self.kinds[index]
        let whole = try Self.file(options)
        for missing in [8, 12, 40, 200, 1000] {
            guard case .failed(let failure) = try Self.reply(whole.dropLast(missing)) else {
                Issue.record("\(missing) bytes are missing")
                continue
            }
            #expect(failure.code == .badInput)
        }
    }

    @Test("a progressive JPEG without its last scans is rejected")
    func missingScans() throws {
        let whole = try Self.file(["Q": 90, "interlace": true])
        let scans = whole.indices.dropLast().filter { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA }
        try #require(scans.count > 4)
        for scan in scans.dropFirst() {
            // The tables before a scan are useless without it.
            guard case .failed = try Self.reply(Array(whole[..<scan])) else {
                Issue.record("\(scan) of \(whole.count) bytes are enough")
                continue
            }
        }
    }
}
