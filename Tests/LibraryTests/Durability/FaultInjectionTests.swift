// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Library

/// Injects faults into a change at its system calls, and checks the resulting library.
struct FaultInjection {
    typealias Fault = SystemTrace.Fault

    let task: DriverStage.Task
    let stage: DriverStage
    private let oracle: FaultOracle
    /// The number of calls of each name before the first that concerns the library.
    private let first: [String: Int]
    private let counts: [String: Int]

    init(_ task: DriverStage.Task) throws {
        self.task = task
        stage = try DriverStage(for: task)
        oracle = try FaultOracle(stage, task)
        let path = try stage.copy()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let (result, calls) = try SystemTrace.trace(
            DriverStage.driver, stage.arguments(task, on: path), in: stage.folder)
        try #require(result.status == 0, "\(result.output)")
        let start = try #require(calls.firstIndex { $0.line.contains(path) })
        first = Dictionary(calls[..<start].map { ($0.name, $0.index + 1) }, uniquingKeysWith: max)
        counts = Dictionary(calls.map { ($0.name, $0.index + 1) }, uniquingKeysWith: max)
    }

    /// The results of all injected faults.
    struct Result {
        var points = 0
        /// The number of changes that reported success despite the fault.
        var successes = 0
        var complaints: [String] = []
    }

    /// Injects a fault at every call until the change makes no further calls.
    ///
    /// - Parameter stride: The distance between the calls at which faults are injected.
    func run(_ fault: Fault, every stride: Int = 1) throws -> Result {
        var result = Result()
        for call in SystemTrace.calls where counts[call] != nil {
            var index = first[call] ?? 0
            while try disturb(fault, call, index, &result) { index += stride }
        }
        return result
    }

    /// Returns whether the fault occurred.
    private func disturb(
        _ fault: Fault, _ call: String, _ index: Int, _ result: inout Result
    ) throws -> Bool {
        let path = try stage.copy()
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard
            let ended = try SystemTrace.run(
                DriverStage.driver, stage.arguments(task, on: path), fault: fault, at: call,
                index, in: stage.folder)
        else { return false }
        result.points += 1
        if ended.status == 0 { result.successes += 1 }
        if let complaint = oracle.complaint(about: path, hasSucceeded: ended.status == 0) {
            result.complaints.append("\(fault) at \(call) \(index): \(complaint)")
        }
        return true
    }
}

/// A sample that takes seconds. Skipped if strace is missing or not permitted.
@Suite("fault injection", .enabled(if: SystemTrace.isAvailable, "strace cannot trace here"))
struct FaultInjectionTests {
    @Test("an edit killed at any of its system calls leaves the state before or after")
    func kill() throws {
        let result = try FaultInjection(.init("edit")).run(.kill, every: 2)
        print("edit, a half of the points: \(result.points) kills")
        #expect(result.points >= 30)
        #expect(result.complaints == [])
    }

    @Test("an edit that cannot write reports it and leaves the state before or after")
    func errors() throws {
        let injection = try FaultInjection(.init("edit"))
        for fault in [SystemTrace.Fault.EIO, .ENOSPC] {
            let result = try injection.run(fault, every: 5)
            print(
                "edit, a fifth of the points: \(result.points) \(fault), "
                    + "\(result.successes) done all the same")
            #expect(result.points >= 10)
            #expect(result.complaints == [])
        }
    }
}

/// Every call of every task.
@Suite(
    "fault injection, exhaustive",
    .enabled(if: SystemTrace.isAvailable, "strace cannot trace here"),
    .torture)
struct FaultInjectionTorture {
    @Test(
        "a kill at every system call leaves the state before or after", arguments: DriverStage.tasks
    )
    func kill(task: DriverStage.Task) throws {
        let result = try FaultInjection(task).run(.kill)
        print("\(task.name): \(result.points) kills, \(result.complaints.count) broken")
        #expect(result.points >= (task.name == "edit" ? 30 : 5))
        #expect(result.complaints == [])
    }

    @Test(
        "EIO, ENOSPC and EDQUOT at every system call leave the state before or after",
        arguments: DriverStage.tasks,
        [SystemTrace.Fault.EIO, .ENOSPC, .EDQUOT])
    func errors(task: DriverStage.Task, fault: SystemTrace.Fault) throws {
        let result = try FaultInjection(task).run(fault)
        print(
            "\(task.name): \(result.points) \(fault), \(result.complaints.count) broken, "
                + "\(result.successes) done all the same")
        #expect(result.points >= 5)
        #expect(result.complaints == [])
    }
}
