// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library
import TestSupport
import Testing

/// Honest plug-ins have all they need in the sandbox. `ThirdPartyTests` and the adder cover C.
@Suite("honest plug-ins in the sandbox")
struct HonestPluginTests {
    @Test("a C plug-in edits in the sandbox")
    func c() async throws {
        let studio = try TestStudio()
        let picture = TestPicture.gradient(bands: 4)
        let asset = try await studio.add(picture)
        try await studio.edit(asset, "adder", ["amount": "7", "mode": "later"])
        #expect(try studio.current(asset) == picture.adding(7))
        await studio.host.shutDown()
    }

    @Test(
        "a C++ plug-in edits in the sandbox; an escaping exception ends it",
        .enabled(if: HonestPlugin.cpp.canBeBuilt, "there is no C++ compiler here"))
    func cpp() async throws { try await expectHonest(.cpp) }

    @Test(
        "a Rust plug-in edits in the sandbox; a panic ends it",
        .enabled(if: HonestPlugin.rust.canBeBuilt, "rustc is not installed here"))
    func rust() async throws { try await expectHonest(.rust) }

    @Test(
        "a Swift plug-in with Foundation, Dispatch and tasks edits; a trap ends it")
    func swift() async throws { try await expectHonest(.swift) }

    /// Edits, fails, and edits again.
    private func expectHonest(_ plugin: HonestPlugin) async throws {
        let studio = try TestStudio {
            try plugin.build(in: $0)
            try TestExtension.buildAdder(in: $0)
        }
        let name = "honest\(plugin.rawValue)"
        for bands in [3, 4] {
            let picture = TestPicture.gradient(width: 61, height: 47, bands: bands)
            let asset = try await studio.add(picture)
            let result = try await studio.edit(asset, name)
            #expect(result.status == .committed)
            let turned = TestPicture(
                width: 61, height: 47, bands: bands, samples: picture.samples.map { 255 - $0 })
            #expect(try studio.current(asset) == turned)

            let error = await #expect(throws: HostError.self) {
                try await studio.edit(asset, name, ["fault": "true"])
            }
            #expect(error?.extensionIdentifier == plugin.identifier)
            #expect(error?.description.contains(plugin.faultSignal) == true, "\(error as Any)")
            #expect(try studio.current(asset) == turned)
            try await studio.edit(asset, "adder", ["amount": "1"])
            #expect(try studio.current(asset) == turned.adding(1))
        }
        await studio.host.shutDown()
    }
}
