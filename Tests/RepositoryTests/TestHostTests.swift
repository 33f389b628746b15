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
            folder: folder.path)
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

    @Test("a cancelled edit ends without an output")
    func cancelled() throws {
        let result = try run("silent", "cancel")
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
