// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import TestSupport
import Testing
import Vips

/// Text chunks of PNG files.
@Suite("PNG texts")
struct PNGTextTests {
    private static func encoded(
        _ file: TestFile, _ omitted: EncodeSettings.OmittedMetadata? = nil
    ) throws -> [String: String] {
        var settings = EncodeSettings(format: .png)
        settings.omittedMetadata = omitted
        let job = RenderJob(
            input: RenderInput(base: .encoded(.png)), output: .encoded(settings))
        let target = try TestFile()
        let reply = try withExtendedLifetime(file) {
            try TestRunner().request(
                .run(job),
                [(.base, file.number), (.metadataSource, file.number), (.output, target.number)])
        }
        guard case .rendered = reply else { throw unexpected(reply) }
        return try ExifTool().read(target)
    }

    @Test("a PNG rendered from a PNG has its texts in any language, each once")
    func kept() throws {
        let picture = try TestPicture.image(width: 40, height: 30)
            .encoded(saver: "pngsave_buffer", options: [:])
        let file = try ExifTool().tagging(
            picture, "png",
            [
                "-PNG:Title=A title", "-PNG:Author=Åse", "-PNG:Comment=two\nlines",
                "-PNG:Description-de=Grüße", "-XMP-dc:Subject=harbour",
            ])
        let before = try ExifTool().read(file)
        let after = try Self.encoded(file)
        for tag in ["Title", "Author", "Comment", "Description-de"] {
            let name = "PNG:\(tag)"
            #expect(after[name] == before[name] && after[name] != nil, "\(name): \(before)")
        }
        #expect(after["XMP-dc:Subject"] == "harbour")
        let none = try Self.encoded(file, .all)
        #expect(none["PNG:Title"] == nil && none["PNG:Comment"] == nil)
    }
}
