// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import RunnerHost

/// Libraries that were built for other machines.
@Suite("libraries for another processor")
struct SharedLibraryPlatformTests {
    /// An adder whose library has a changed header.
    private static func examined(
        _ folder: TemporaryFolder, _ change: (inout Data) -> Void
    ) throws -> InstalledExtension {
        try TestExtension.buildAdder(in: folder.file("extensions"))
        let extensionFolder = folder.file("extensions/adder.editingextension")
        let installed = ExtensionCatalogue.examine(extensionFolder)
        #expect(installed.status == .available)
        let name = try #require(installed.manifest?.library)
        let path = URL(fileURLWithPath: "\(extensionFolder)/\(name)")
        var bytes = try Data(contentsOf: path)
        change(&bytes)
        try bytes.write(to: path)
        return ExtensionCatalogue.examine(extensionFolder)
    }

    /// In an ELF header, byte 4 is the address width, byte 5 the byte order, and bytes 18 and 19 are `e_machine`.
    private static let others: [(String, String, @Sendable (inout Data) -> Void)] = [
        ("RISC-V", "RISC-V, 64 bit", { $0[18] = 243 }),
        ("LoongArch", "LoongArch, 64 bit", { ($0[18], $0[19]) = (2, 1) }),
        ("32 bit", "32 bit", { $0[4] = 1 }),
        ("big-endian", "s390, 64 bit, big-endian", { ($0[5], $0[18], $0[19]) = (2, 0, 22) }),
        ("macOS", "for macOS;", { $0.replaceSubrange(0..<4, with: [0xcf, 0xfa, 0xed, 0xfe]) }),
        ("Windows", "for Windows;", { $0.replaceSubrange(0..<2, with: [0x4d, 0x5a]) }),
        ("unknown", "an unknown processor (9999), 64 bit", { ($0[18], $0[19]) = (15, 39) }),
    ]

    @Test("the error names both machines, and nothing is loaded", arguments: others.indices)
    func reason(index: Int) throws {
        let (_, words, change) = Self.others[index]
        let folder = try TemporaryFolder()
        let installed = try Self.examined(folder, change)
        #expect(installed.status == .unusable)
        let reason = try #require(installed.reason)
        #expect(reason.contains(words), "\(reason)")
        let machine = try runProgram("/usr/bin/env", ["uname", "-m"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let own = ["x86_64": "x86-64, 64 bit", "aarch64": "AArch64, 64 bit"][machine]
        #expect(reason.contains("a build for \(try #require(own))"), "\(reason)")
    }

    @Test("a file of unknown format is left to the loader, which reports it")
    func unknownFormat() async throws {
        let folder = try TemporaryFolder()
        let installed = try Self.examined(folder) { $0 = Data("#!/bin/sh".utf8) }
        #expect(installed.status == .available)
        #expect(SharedLibraryPlatform(header: Data()) == nil)
        #expect(SharedLibraryPlatform(header: Data([0x7f, 0x45, 0x4c, 0x46])) == nil)
    }
}
