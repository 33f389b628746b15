// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Library
import TestSupport
import Testing

@testable import EditHost

/// An extension that ends, blocks or attacks its process fails only its own edit.
@Suite("containment")
struct ContainmentTests {
    @Test(
        "a crash or exit fails that edit with its signal; the next edit works",
        arguments: FaultMode.ends)
    func ends(faultMode: FaultMode) async throws {
        try await expectContained(faultMode)
    }

    @Test(
        "a hang with signals ignored or the socket closed ends at the deadline",
        arguments: FaultMode.hangs)
    func hangs(faultMode: FaultMode) async throws {
        try await expectContained(faultMode, within: .seconds(2))
    }

    @Test(
        "garbage, a large packet or an unsolicited reply on the socket ends the runner",
        arguments: FaultMode.protocolBreaches)
    func protocolBreaches(faultMode: FaultMode) async throws {
        try await expectContained(faultMode)
    }

    /// - Parameter timeout: Applies to the failing edit only, because others can be slow on a busy machine.
    private func expectContained(_ faultMode: FaultMode, within timeout: Duration? = nil)
        async throws
    {
        let studio = try TestStudio(extensions: {
            try TestExtension.buildAdder(in: $0)
            try TestExtension.buildAdder("org.example.other", in: $0)
        })
        let picture = TestPicture.gradient()
        let asset = try await studio.add(picture)
        let token = try studio.library.currentChangeToken
        let attacked = try studio.otherHost { configuration in
            if let timeout { configuration.timeouts.render = timeout }
        }
        let error = await #expect(throws: HostError.self) {
            let request = EditRequest(extensionName: "adder", values: ["mode": faultMode.name])
            _ = try await attacked.edit([asset], request, in: studio.library)
        }
        #expect(error?.code == .extensionFailed)
        #expect(faultMode.isNamed(in: error?.description ?? ""), "\(error as Any)")
        #expect(error?.extensionIdentifier == "org.example.adder")
        #expect(error?.assetIdentifier == asset)
        #expect(try studio.library.currentChangeToken == token)
        #expect(try studio.current(asset) == picture)
        try await studio.edit(asset, "other", ["amount": "5"])
        #expect(try studio.current(asset) == picture.adding(5))
        for host in [attacked, studio.host] { await host.shutDown() }
        let runners = studio.log.startedRunners
        #expect(runners.count >= 2)
        for runner in runners { try await Children.waitUntilReaped(runner) }
    }
}
