// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The test host that authors of plug-ins link into their tests.
@Suite("test host for plug-ins")
struct TestHostTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Edits a picture with the adder in the test host.
    private func run(
        _ mode: String, defines: [String] = [], _ options: String...
    ) throws -> ProcessResult {
        try TestExtension.buildAdder(defines: defines, in: folder.path)
        let program = try TestExtension.programWithTestHost("test_host")
        return try runProgram(
            program,
            ["adder.editingextension", #"{"amount":7,"mode":"\#(mode)"}"#] + options,
            // The adder creates a file there while it waits for a cancellation.
            environment: ["TMPDIR": folder.path], folder: folder.path)
    }

    @Test("an extension is loaded, edits a picture, and renders its recipe again")
    func edit() throws {
        let result = try run("plain")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        // Of 16 bits: (30 * 3 + 40 * 7) % 256 = 114 in red, 255 - 70 = 185 in alpha.
        let edited = "600x700 4 bands 16 bits: \(114 * 257 + 7) \(185 * 257)"
        let lines = result.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("preview 60x70 4 bands 16 bits: ") == true, "\(lines)")
        #expect(lines.dropFirst() == ["finish \(edited)", "again \(edited)", "end "])
    }

    @Test("its capability for parameters gives the values that that of edithost gives")
    func parameters() throws {
        let result = try run("plain", defines: ["ACCESSORS"])
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Runs the plug-in that reads and fills pixels in the test host.
    private func runLayouts(_ defines: String...) throws -> ProcessResult {
        try TestExtension.buildLayouts(defines: defines, in: folder.path)
        let program = try TestExtension.programWithTestHost("test_host")
        return try runProgram(program, ["layouts.editingextension", "{}"], folder: folder.path)
    }

    @Test("its capability for pixels reads and fills them", arguments: [0, 1])
    func pixels(encoding: Int) throws {
        let result = try runLayouts("SAMPLES=2", "ENCODING=\(encoding)")
        #expect(result.status == 0, "\(result.errors)")
        // The samples of the gradient: (30 * 3 + 40 * 7) % 256 = 114 in red, 255 - 70 = 185 in alpha.
        let kept = "600x700 4 bands 16 bits: \(114 * 257) \(185 * 257)"
        #expect(result.output.contains("finish \(kept)\nagain \(kept)\nend \n"), "\(result.output)")
        // The pixels at 1, 2 and 1, 3: (3 + 14, 4 + 12, 5 + 10) and (3 + 21, 4 + 18, 5 + 15).
        for line in [
            "facts 600x700, samples 1, bands 4, access 1, linear 1, profile 0",
            "read 0 0 4: 0 17 16 15 252 24 22 20 251",
            "read 1 0 3: 0 4369 4112 3855 6168 5654 5140",
            // The curve of sRGB: 65535 * ((17 / 255 + 0.055) / 1.055) ^ 2.4 = 367, and so on.
            "read 1 1 3: 0 367 340 313 599 526 458",
            "misuse 7: 4 4 4 4 4 4 4 4 4 4 4 4 4",
        ] {
            #expect(result.errors.contains(line), "\(result.errors)")
        }
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count { $0.hasSuffix(": freed") } == 3, "\(lines)")
    }

    @Test("a reduced input has at least one pixel, and is refused while a recipe is rendered")
    func reducedInput() throws {
        let result = try runLayouts("MEASURES")
        #expect(result.status == 0, "\(result.errors)")
        // 600 * 60 / 700 = 51.4. The status 4 is EE_UNSUPPORTED.
        for line in [
            "start measured 60: 0, 51x60, access 1", "finish measured 60: 0, 51x60, access 1",
            "finish measured 0: 0, 1x1, access 1", "start measured 60: 4, 0x0,",
            "finish measured 60: 4, 0x0,", "finish measured 0: 4, 0x0,",
        ] {
            #expect(result.errors.contains(line), "\(result.errors)")
        }
    }

    @Test("its capability for colours transforms them")
    func colors() throws {
        let result = try runLayouts("COLORS")
        #expect(result.status == 0, "\(result.errors)")
        let title = "color rec-2020 to 2: 0 "
        let line = try #require(
            result.errors.components(separatedBy: "\n").first { $0.contains(title) })
        let found = line.components(separatedBy: title)[1].split(separator: " ")
            .compactMap { Double($0) }
        try #require(found.count == 8, "\(line)")
        // Computed as in ColorCapabilityTests.
        for (own, other) in zip(found, [0.160451, 0.220085, 0.517683, 0.25]) {
            #expect(abs(own - other) <= 1e-4, "\(line)")
        }
    }

    @Test("a failure to fill pixels, and reading them upwards, are failures with a reason")
    func pixelFailures() throws {
        let failed = try runLayouts("FAILS")
        #expect(failed.output.contains("100% of its colours are missing"), "\(failed.output)")
        let upwards = try runLayouts("UPWARDS")
        #expect(upwards.output.contains("out of order read: row "), "\(upwards.output)")
    }

    @Test(
        "outputs that edithost rejects are failures with a reason",
        arguments: [
            ("fail-finish", "finish finish: no wish to finish"),
            ("discard", "finish it discarded the edit"),
            ("empty-recipe", "finish its recipe is empty"),
            ("huge-recipe", "finish its recipe is larger than 16 MiB"),
            ("endless-format", "finish the format of its recipe is longer than 255 bytes"),
            ("flip", "out of order read: row "),
            ("file-unwritten", "does not exist"),
            ("twice", "end it called its completion a second time"),
        ])
    func rejected(mode: String, message: String) throws {
        let result = try run(mode)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains(message), "\(result.output)")
    }

    @Test(
        "a cancelled edit ends without an output, even if finish calls its completion",
        arguments: ["silent", "wait-with-image"])
    func cancelled(mode: String) throws {
        let result = try run(mode, "cancel")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("cancelled\nend \n"), "\(result.output)")
    }

    @Test("folders that are not extensions are failures with a reason")
    func unusable() throws {
        let program = try TestExtension.programWithTestHost("test_host")
        let missing = try runProgram(program, [folder.file("missing"), "{}"])
        #expect(missing.status == 1 && missing.errors.contains("manifest.json cannot be read"))
        try TestExtension.buildAdder(manifest: ["version": "2.0"], in: folder.path)
        let other = try runProgram(program, [folder.file("adder.editingextension"), "{}"])
        let message = "the version in the library is 1.0, but in its manifest 2.0"
        #expect(other.status == 1 && other.errors.contains(message), "\(other.errors)")
    }
}
