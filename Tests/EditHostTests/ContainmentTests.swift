// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Library
import TestSupport
import Testing

@testable import EditHost

/// An extension that ends, stops or besieges its process costs exactly its own edit.
@Suite("Containment")
struct ContainmentTests {
    @Test(
        "R-01 R-02 a crash or an exit fails that edit, with its signal; the next one works",
        arguments: Misdeed.ends)
    func ends(misdeed: Misdeed) async throws {
        try await expectContained(misdeed)
    }

    @Test(
        "R-03 R-04 a hang, signals ignored or socket closed, ends at the deadline; nothing is left",
        arguments: Misdeed.hangs)
    func hangs(misdeed: Misdeed) async throws {
        try await expectContained(misdeed) { $0.deadlines.render = .seconds(2) }
    }

    @Test(
        "R-24 garbage, a large packet or a reply to nothing on the host's socket ends the runner",
        arguments: Misdeed.protocolBreaches)
    func protocolBreaches(misdeed: Misdeed) async throws {
        try await expectContained(misdeed)
    }

    private func expectContained(
        _ misdeed: Misdeed, configure: (inout HostConfiguration) -> Void = { _ in }
    ) async throws {
        let studio = try TestStudio(
            extensions: {
                try TestExtension.buildAdder(in: $0)
                try TestExtension.buildAdder("org.example.other", in: $0)
            }, configure: configure)
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let token = try studio.library.currentChangeToken
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "adder", ["mode": misdeed.name])
        }
        #expect(error?.code == .extensionFailed)
        #expect(error?.description.contains(misdeed.named) == true, "\(error as Any)")
        #expect(error?.extensionIdentifier == "org.example.adder")
        #expect(error?.assetIdentifier == asset)
        #expect(try studio.library.currentChangeToken == token)
        #expect(try studio.current(asset) == picture)
        // With the usual deadlines, for a machine that is busy.
        await studio.host.shutDown()
        var configuration = studio.host.configuration
        configuration.deadlines = RunnerDeadlines()
        let host = ExtensionHost(configuration, logger: studio.host.logger)
        _ = try await host.edit(
            [asset], EditRequest(extensionName: "other", values: ["amount": "5"]),
            in: studio.library)
        #expect(try studio.current(asset) == picture.adding(5))
        await host.shutDown()
        #expect(Children.zombies() == [])
    }
}
