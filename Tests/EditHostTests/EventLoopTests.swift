// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Extensions with an event loop, which the runner serves.
@Suite("event loops of extensions")
struct EventLoopTests {
    private static let picture = TestPicture.plain(width: 16, height: 12)

    private static func build(_ folder: String) throws { try build([], folder) }

    private static func build(_ defines: [String], _ folder: String) throws {
        let target = "\(folder)/looping.editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try TestExtension.compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/looping.c",
            to: "\(target)/liblooping.so", defines: defines)
        let format: [String: Any] = ["formatIdentifier": "org.example.looping"]
        let manifest: [String: Any] = [
            "identifier": "org.example.looping", "name": "Looping", "version": "1.0",
            "abi": "1.0", "library": "liblooping.so", "supportedMediaTypes": ["image"],
            "reads": [format], "writes": [format],
        ]
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }

    @Test("a completion on another thread while the loop runs ends the edit every time")
    func completions() async throws {
        let studio = try TestStudio(extensions: Self.build, trusted: true)
        let asset = try await studio.add(Self.picture)
        for _ in 0..<100 {
            try await studio.edit(asset, "looping")
        }
        #expect(try studio.current(asset) == Self.picture)
        // None of them ended its runner.
        #expect(studio.log.startedRunners.count <= 2)
        await studio.host.shutDown()
    }

    @Test("the loop runs before a cancelled controller is destroyed")
    func cancel() async throws {
        let studio = try TestStudio(extensions: Self.build, trusted: true)
        let asset = try await studio.add(Self.picture)
        let session = try await studio.open(asset, "looping", [:])
        await session.cancel()
        await studio.host.shutDown()
        let said = studio.log.lines.compactMap { line in
            ["served after a cancel", "destroyed"].first { line.hasSuffix($0) }
        }
        #expect(said == ["served after a cancel", "destroyed"])
    }

    @Test("an incomplete lower step is cancelled before it is destroyed")
    func stepBelow() async throws {
        let studio = try TestStudio(
            extensions: {
                try Self.build(["STALLS"], $0)
                try TestExtension.buildAdder(in: $0)
            }, trusted: true)
        let asset = try await studio.add(Self.picture)
        try await studio.edit(asset, "looping")
        let cancellation = EditCancellation()
        let editing = Task {
            try await studio.host.edit(
                [asset], EditRequest(extensionName: "adder"), in: studio.library,
                cancellation: cancellation)
        }
        try await studio.log.wait { $0.hasSuffix("stalls") }
        await cancellation.cancel()
        let error = await #expect(throws: HostError.self) { try await editing.value }
        #expect(error?.code == .cancelled, "\(error as Any)")
        await studio.host.shutDown()
        #expect(studio.log.lines.count { $0.hasSuffix("destroyed") } == 2, "\(studio.log.lines)")
        #expect(!studio.log.lines.contains { $0.hasSuffix("not cancelled") })
    }
}
