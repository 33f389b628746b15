// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Library

/// Checks that the harnesses detect the faults they are made for.
@Suite("write order and mutants")
struct MutantTests {
    private static let task = DriverStage.Task("edit")

    /// Kills an edit at every call that the preloaded library counts.
    private func kills(_ mutant: Faults.Mutant?) throws -> FaultInjection.Result {
        let stage = try DriverStage(for: Self.task)
        let oracle = try FaultOracle(stage, Self.task)
        let count = stage.folder.file("count")
        var result = FaultInjection.Result()
        for number in 0... {
            let path = try stage.copy()
            defer { try? FileManager.default.removeItem(atPath: path) }
            let faults = try Faults.environment(
                root: path, mutant: mutant, fault: "kill", at: number,
                count: number == 0 ? count : nil)
            let ended = try runProgram(
                DriverStage.driver, stage.arguments(Self.task, on: path),
                environment: ProcessInfo.processInfo.environment.merging(faults) { $1 })
            if number == 0 {
                try #require(ended.status == 0, "\(ended.output)")
                continue
            }
            guard ended.status == 128 + SIGKILL else { break }
            result.points += 1
            if let complaint = oracle.complaint(about: path, hasSucceeded: false) {
                result.complaints.append("at \(number): \(complaint)")
            }
        }
        let counted = try Int(
            String(contentsOfFile: count, encoding: .utf8).trimmingCharacters(in: .newlines))
        #expect(result.points == counted)
        return result
    }

    @Test("the harness passes the program and fails a mutant that commits rows before files")
    func rowFirst() throws {
        let good = try kills(nil)
        let mutant = try kills(.rowFirst)
        print(
            "kills: \(good.complaints.count) of \(good.points) broken; row first: "
                + "\(mutant.complaints.count) of \(mutant.points)")
        #expect(good.points >= 30)
        #expect(good.complaints == [])
        #expect(!mutant.complaints.isEmpty)
    }

    private func trace(
        commits count: Int, mutant: Faults.Mutant? = nil
    ) throws -> OrderTrace {
        let stage = try DriverStage(for: Self.task)
        let path = try stage.copy()
        let faults = try mutant.map { try Faults.environment(root: path, mutant: $0) } ?? [:]
        let (result, calls) = try SystemTrace.trace(
            DriverStage.driver, [path, "edits", "\(count)", "traced"], environment: faults,
            in: stage.folder)
        try #require(result.status == 0, "\(result.output)")
        return OrderTrace(calls)
    }

    @Test(
        "each of 100 commits writes file, name, folder, row, log and answer in this order",
        .enabled(if: SystemTrace.isAvailable, "strace cannot trace here"))
    func order() throws {
        let trace = try trace(commits: 100)
        print("\(trace.commits) commits in order, \(trace.newFolders) with a new folder")
        #expect(trace.commits == 100 && trace.newFolders > 0)
        #expect(trace.violations == [])
    }

    @Test(
        "the trace detects rows committed first and files not synced",
        .enabled(if: SystemTrace.isAvailable, "strace cannot trace here"),
        arguments: [Faults.Mutant.rowFirst, .noSynchronization])
    func mutantOrder(mutant: Faults.Mutant) throws {
        let trace = try trace(commits: 5, mutant: mutant)
        #expect(trace.commits == 5)
        #expect(trace.violations.count >= 5)
    }
}
