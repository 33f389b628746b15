// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol
import Testing

/// Messages that do not fit into a packet.
@Suite struct LargeMessageTests {
    private static let limit = 16 << 20

    private func finish(recipeOf size: Int) throws -> RunnerReply {
        let session = try TestSession(definitions: ["RECIPE_SIZE": "\(size)"])
        _ = try session.start()
        let outbox = try TestFile()
        session.runner.outbox = outbox
        return try session.runner.request(.finish, [(.outbox, outbox.number)])
    }

    @Test("K-03 recipes of 1 and 16 MiB come back intact", arguments: [1 << 20, limit])
    func longReply(_ size: Int) throws {
        let reply = try finish(recipeOf: size)
        guard case .finished(let edit?) = reply else { throw unexpected(reply) }
        #expect(
            edit.adjustmentData.data == Data("recipe".utf8) + Data(repeating: 10, count: size - 6))
    }

    @Test("K-03 a recipe over 16 MiB is rejected")
    func tooLong() throws {
        let reply = try finish(recipeOf: Self.limit + 1)
        guard case .failed(let failure) = reply else { throw unexpected(reply) }
        #expect(failure.code == .extensionFailed && failure.message.contains("16 MiB"))
    }

    @Test(
        "a long recipe reaches the extension intact through the inbox", arguments: [70_000, limit])
    func longRequest(_ size: Int) throws {
        let session = try TestSession()
        // The recorder logs the recipe up to its first NUL byte, and can_handle only checks the format.
        let recipe = AdjustmentData(
            formatIdentifier: "org.example.recorder", formatVersion: "1.0",
            data: Data("short".utf8) + Data([0]) + Data(repeating: 7, count: size - 6))
        #expect(try session.runner.request(.canHandle(recipe)) == .answer(true))
        let reply = try session.start(recipe: recipe)
        guard case .parameters = reply else { throw unexpected(reply) }
        let line = try #require(session.runner.log.first { $0.contains("start ") })
        #expect(line.contains("recipe=short default"))
        #expect(line.contains("size=\(size)"))
    }
}
