// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHost
@testable import Library

/// The program `edithost work commit`, killed and run concurrently.
@Suite("interrupted commits of results")
struct WorkKillTests {
    /// Runs the program on a fixture.
    private func commit(
        _ work: WorkFixture, _ options: [String] = [], killedAfter seconds: Double? = nil
    ) throws -> ProcessResult {
        var environment = ProcessInfo.processInfo.environment
        environment["EDITHOST_EXTENSION_PATH"] = work.studio.extensions
        environment["XDG_CONFIG_HOME"] = work.studio.folder.file("config")
        let limit = seconds.map { ["/usr/bin/timeout", "-s", "KILL", "\($0)"] } ?? []
        let words =
            limit + [BuildProducts.command, "work", "commit", work.path]
            + ["--library", work.library.path, "--json"] + options
        return try runProgram("/usr/bin/env", words, environment: environment)
    }

    private func expectRerendered(_ work: WorkFixture) throws {
        for asset in work.assets { #expect(try work.isRerendered(asset)) }
        #expect(try work.library.check(readingDataOf: 100).severity <= .repairable)
    }

    @Test("a commit that is killed ten times is completed by the next one")
    func killed() async throws {
        let seed = TestSeed.seed()
        var generator = SeededGenerator(seed: seed)
        let work = try await WorkFixture(12, shardSize: 4)
        try work.writeAll()
        for _ in 0..<10 {
            let seconds = Double.random(in: 0.01...0.4, using: &generator)
            _ = try commit(work, ["--group", "1"], killedAfter: seconds)
        }
        let last = try commit(work)
        #expect(last.status == 0, "EDITHOST_SEED=\(seed) \(last.errors)")
        try expectRerendered(work)
        #expect(try (0..<3).flatMap(work.filesLeft) == [])
        await work.shutDown()
    }

    @Test("two commits and a rerender at the same time give the renditions of one")
    func concurrent() async throws {
        let work = try await WorkFixture(8, shardSize: 4)
        try work.writeAll()
        async let first = Task.detached { try commit(work, ["--group", "1"]) }.value
        async let second = Task.detached { try commit(work, ["--group", "3"]) }.value
        try await work.host.rerender(work.assets, in: work.library, jobs: 1) { result in
            #expect(result.status != .failed, "\(result)")
        }
        let results = try await [first, second]
        // A file may be removed by one commit before the other reads it.
        #expect(results.allSatisfy { [0, 1].contains($0.status) }, "\(results)")
        #expect(try commit(work).status == 0)
        try expectRerendered(work)
        await work.shutDown()
    }
}
