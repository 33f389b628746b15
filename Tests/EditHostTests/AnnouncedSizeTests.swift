// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import TestSupport
import Testing

/// Sizes announced by untrusted extensions are checked against the budget before memory is allocated.
@Suite("announced sizes")
struct AnnouncedSizeTests {
    private static func budget(
        _ identifier: String
    ) -> @Sendable (inout HostConfiguration) -> Void {
        { configuration in
            var budget = ExtensionBudget()
            budget.memory = 256 << 20
            configuration.budgets.extensions[identifier] = budget
        }
    }

    @Test(
        "frames larger than the video limit or the budget are rejected by their announced size",
        arguments: [
            // 2.5 GiB, more than any encoder accepts; 300 MB; one pixel more than the limit of a side.
            (30_000, "frames of 30000x30000"),
            (10_000, "needs 286 MiB, more than the limit of 256 MiB"),
            (16_385, "frames of 16385x16385"),
        ])
    func frames(side: Int, words: String) async throws {
        let studio = try TestStudio(
            extensions: { try TestExtension.buildClock(defines: ["SIDES=\(side)"], in: $0) },
            trusted: false, configure: Self.budget("org.example.clock"))
        let path = studio.folder.file("a.mov")
        try TestVideo.make(path, size: "64x48", seconds: 1, [])
        let video = try await studio.add(
            try Data(contentsOf: URL(fileURLWithPath: path)), named: "a.mov")
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(video, "clock")
        }
        #expect(error?.code == .extensionFailed)
        #expect(error?.extensionIdentifier == "org.example.clock")
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(try studio.library.history(ofAsset: video).chain.isEmpty)
        await studio.host.shutDown()
    }
}
