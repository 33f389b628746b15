// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

@testable import EditHost

/// Pixels that cannot be computed are never committed, and the failing extension is named.
@Suite("pixel errors reach the library")
struct LostErrorTests {
    private static let large = TestPicture.gradient(width: 700, height: 500)

    private func error(
        _ studio: TestStudio, _ asset: String, _ name: String, _ values: [String: String]
    ) async throws -> HostError? {
        await #expect(throws: HostError.self, "\(values)") {
            try await studio.edit(asset, name, values)
        }
    }

    @Test("an edit whose last strip fails is not committed, in 12 of 12 tries")
    func lastStrip() async throws {
        let studio = try TestStudio()
        let asset = try await studio.add(Self.large)
        for _ in 0..<12 {
            let error = try await error(studio, asset, "adder", ["mode": "pixels-last"])
            #expect(error?.code == .extensionFailed)
            #expect(error?.extensionIdentifier == "org.example.adder")
        }
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        #expect(try studio.library.check(readingDataOf: 100).severity == .clean)
        await studio.host.shutDown()
    }

    @Test(
        "an edit whose cache would show black is not committed, trusted or not",
        arguments: ["tilecache", "threaded", "linecache", "sequential", "screen", "twice"])
    func caches(over: String) async throws {
        for trusted in [true, false] {
            let studio = try TestStudio(trusted: trusted)
            let asset = try await studio.add(Self.large)
            for mode in ["pixels-once-\(over)-peek", "pixels-last-\(over)"] {
                let error = try await error(studio, asset, "adder", ["mode": mode])
                #expect(error?.code == .extensionFailed, "\(mode) \(trusted)")
                #expect(error?.extensionIdentifier == "org.example.adder")
            }
            #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
            await studio.host.shutDown()
        }
    }

    @Test("a failing lower edit is named, not the one above")
    func lowerEdit() async throws {
        let studio = try TestStudio {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
        }
        let asset = try await studio.add(Self.large)
        try await studio.edit(asset, "adder", ["amount": "3"])
        try await studio.edit(asset, "other", ["amount": "4"])
        // The lower edit is reopened and fails below the other one.
        let failing = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "adder", ["mode": "pixels-last"], step: 1)
        }
        #expect(failing?.extensionIdentifier == "org.example.adder", "\(failing as Any)")
        #expect(try studio.current(asset) == Self.large.adding(7))
        await studio.host.shutDown()
    }
}
