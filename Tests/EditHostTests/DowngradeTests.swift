// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing

/// Edits with an older version of an extension than the one that made the last edit.
@Suite("downgraded extensions")
struct DowngradeTests {
    /// Builds a version of the extension, replacing any other.
    private static func build(_ version: String, format: String, in folder: String) throws {
        try TestExtension.buildAdder(
            defines: ["FORMAT=\"\(format)\"", "VERSION=\"\(version)\""],
            manifest: ["version": version], in: folder)
    }

    @Test("an edit above one of a newer format of the same extension is reported as a second edit")
    func newerFormat() async throws {
        let studio = try TestStudio { try Self.build("2.0", format: "org.example.two", in: $0) }
        let asset = try await studio.add(.gradient())
        #expect(try await studio.edit(asset, "adder", ["amount": "5"]).warnings == [])
        try Self.build("1.0", format: "org.example.one", in: studio.extensions)
        let host = try studio.otherHost()
        func edit(_ amount: String) async throws -> EditResult {
            try await host.edit(
                [asset], EditRequest(extensionName: "adder", values: ["amount": amount]),
                in: studio.library)[0]
        }
        let warnings = try await edit("7").warnings
        #expect(warnings.count == 1)
        for words in ["org.example.adder 2.0", "org.example.two", "1.0", "second edit"] {
            #expect(warnings.first?.contains(words) == true, "\(warnings)")
        }
        #expect(try studio.library.history(ofAsset: asset).chain.count == 2)
        // It continues its own edit.
        #expect(try await edit("8").warnings == [])
        #expect(try studio.library.history(ofAsset: asset).chain.count == 2)
        await host.shutDown()
        await studio.host.shutDown()
    }

    @Test("a newer version that reads the format continues the edit")
    func upgrade() async throws {
        let studio = try TestStudio { try Self.build("1.0", format: "org.example.one", in: $0) }
        let asset = try await studio.add(.gradient())
        try await studio.edit(asset, "adder", ["amount": "5"])
        try TestExtension.buildAdder(
            defines: [
                "FORMAT=\"org.example.two\"", "READS=\"org.example.one\"", "VERSION=\"2.0\"",
            ],
            manifest: ["version": "2.0"], in: studio.extensions)
        let host = try studio.otherHost()
        let result = try await host.edit(
            [asset], EditRequest(extensionName: "adder", values: ["amount": "7"]),
            in: studio.library)[0]
        #expect(result.warnings == [])
        #expect(try studio.library.history(ofAsset: asset).chain.count == 1)
        await host.shutDown()
        await studio.host.shutDown()
    }
}
