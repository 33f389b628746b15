// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import RunnerHost
import TestSupport
import Testing

/// Every call is limited to its documented timeout.
@Suite("runner timeouts")
struct RunnerTimeoutTests {
    private static func studio(
        _ place: String?, trusted: Bool, change: (inout ExtensionBudget) -> Void = { _ in }
    ) throws -> TestStudio {
        try TestStudio(
            extensions: { try TestExtension.buildBomb("wait_long", at: place, in: $0) },
            trusted: trusted,
            configure: { configuration in
                configuration.timeouts.interactive = .seconds(3)
                var budget = ExtensionBudget()
                change(&budget)
                configuration.budgets.extensions["org.example.bomb"] = budget
            })
    }

    /// Previews with a plug-in that hangs, and returns the error.
    private static func previewError(_ studio: TestStudio) async throws -> HostError {
        let asset = try await studio.add(TestPicture.gradient())
        let error = await #expect(throws: HostError.self) {
            _ = try await studio.host.preview(
                asset, EditRequest(extensionName: "bomb"), in: studio.library,
                to: studio.folder.file("preview.png"))
        }
        await studio.host.shutDown()
        return try #require(error)
    }

    @Test(
        "a hang in render_preview ends at the timeout for calls without full-size pixels",
        arguments: ["PREVIEW", "PREVIEW_PIXELS"], [true, false])
    func preview(place: String, isTrusted: Bool) async throws {
        let studio = try Self.studio(place, trusted: isTrusted)
        let error = try await Self.previewError(studio)
        #expect(error.description.contains("did not answer within 3 s"), "\(error)")
        #expect(error.extensionIdentifier == "org.example.bomb")
    }

    @Test("a longer wallClockSeconds does not extend a preview; a shorter one shortens it")
    func wallClock() async throws {
        for (seconds, said) in [
            (60, "did not answer within 3 s"), (1, "did not answer within 1 s"),
        ] {
            let studio = try Self.studio("PREVIEW", trusted: false) {
                $0.wallClock = .seconds(seconds)
            }
            let error = try await Self.previewError(studio)
            #expect(error.description.contains(said), "\(error)")
        }
    }

    @Test(
        "a missing completion is reported with the time waited",
        arguments: [true, false])
    func silent(isTrusted: Bool) async throws {
        let studio = try TestStudio(trusted: isTrusted) { $0.timeouts.render = .seconds(2) }
        let asset = try await studio.add(.gradient())
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, "adder", ["mode": "silent"])
        }
        #expect(error?.extensionIdentifier == "org.example.adder")
        #expect(
            error?.description.contains("did not call its completion within 2 s") == true,
            "\(error as Any)")
        await studio.host.shutDown()
    }

    @Test("the timeouts are those in the documentation")
    func documented() throws {
        let timeouts = RunnerTimeouts()
        let path = "\(BuildProducts.packageFolder)/docs/reference/extension-contract.md"
        let page = try String(contentsOfFile: path, encoding: .utf8)
        for (calls, time) in [
            ("loading", timeouts.load), ("`canHandle`, cancel", timeouts.shortCall),
            ("create, start, parameters, preview, destroy", timeouts.interactive),
            ("finish, and reading its pixels", timeouts.render),
        ] {
            #expect(page.contains("| \(calls) | \(time.components.seconds) s |"), "\(calls)")
        }
    }
}
