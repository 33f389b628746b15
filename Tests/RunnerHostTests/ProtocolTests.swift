// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import RunnerHost

/// A runner that violates the protocol is killed and leaves nothing behind.
@Suite("protocol violations")
struct ProtocolTests {
    @Test("each violation of the protocol ends the runner and is named")
    func named() async throws {
        let runner = try BadRunner()
        for (mode, said) in BadRunner.modes {
            let death = try #require(try await runner.end(mode), "\(mode)")
            #expect("\(death)".contains(said), "\(mode): \(death)")
        }
    }

    @Test("a runner that closes its socket and continues is killed well before its deadline")
    func closed() async throws {
        let runner = try BadRunner()
        let death = try #require(try await runner.end("close"))
        // A runner killed at its deadline would have another cause.
        #expect(death.cause == .protocolViolation("closed its socket but kept running"))
    }

    @Test("60 protocol violations leak no descriptors in the host")
    func descriptors() async throws {
        await #expect(processExitsWith: .success) { try await Self.expectNoLeak(rounds: 60) }
    }

    /// Must run in a process of its own, so that no other test opens descriptors.
    static func expectNoLeak(rounds: Int) async throws {
        let runner = try BadRunner()
        for (mode, _) in BadRunner.modes { _ = try await runner.end(mode) }
        let before = try await settledDescriptors()
        for round in 0..<rounds {
            let mode = BadRunner.modes[round % BadRunner.modes.count].name
            guard try await runner.end(mode) != nil else {
                throw HostError(.runnerFailed, "\(mode) was not noticed")
            }
        }
        let after = try await settledDescriptors()
        guard after == before else {
            throw HostError(.runnerFailed, "\(before) descriptors became \(after)")
        }
        for child in Children.all() { try await Children.waitUntilReaped(child) }
    }

    /// The number of open descriptors after the last listening threads have closed theirs.
    private static func settledDescriptors() async throws -> Int {
        var (last, unchanged) = (-1, 0)
        let end = ContinuousClock.now + .seconds(120)
        while unchanged < 10 {
            guard ContinuousClock.now < end else {
                throw HostError(.runnerFailed, "the number of descriptors does not settle")
            }
            let count = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            unchanged = count == last ? unchanged + 1 : 0
            last = count
            try await Task.sleep(for: .milliseconds(20))
        }
        return last
    }
}

@Suite("protocol violations, exhaustive", .torture)
struct ProtocolTorture {
    @Test("1,000 protocol violations leak no descriptors in the host")
    func descriptors() async throws {
        await #expect(processExitsWith: .success) {
            try await ProtocolTests.expectNoLeak(rounds: 1000)
        }
    }
}
