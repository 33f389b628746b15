// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import Library

/// Several processes that work on one library.
struct Crowd {
    /// The results of the processes.
    struct Outcome {
        var committed: [String] = []
        /// The messages of processes that failed without having been killed.
        var failures: [String] = []
        var wasKilled = false
        /// Inconsistent states that a reader saw.
        var mixed: [String] = []
        var readings = 0
        /// The changes seen by a process that watched from beginning to end.
        var seen: [String] = []
        /// The findings of checks during the work.
        var findings: [CheckReport.Kind] = []
    }

    let path: String

    /// Lets processes edit the same asset while another one watches and this one reads and checks.
    ///
    /// - Parameters:
    ///   - kills: Whether one of the processes is killed.
    func work(processes count: Int, edits: Int, kills: Bool) throws -> Outcome {
        let watched = path + "/../watched"
        try Data().write(to: URL(fileURLWithPath: watched))
        let watcher = try start([path, "watch", watched])
        let processes = try (0..<count).map { number in
            try start([path, "edits", "\(edits)", "process \(number)"])
        }
        var outcome = Outcome()
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        while processes.contains(where: \.process.isRunning) {
            // Opens the library each time, as a command would.
            let library = try PhotoLibrary.open(at: path, options: options)
            outcome.mixed += try LibrarySnapshot(of: library).mismatches
            outcome.readings += 1
            if outcome.readings % 5 == 0 {
                outcome.findings += try library.check(readingDataOf: 100).findings.map(\.kind)
            }
            let said = try String(contentsOfFile: processes[0].log, encoding: .utf8)
            if kills, !outcome.wasKilled, said.contains("committed") {
                kill(processes[0].process.processIdentifier, SIGKILL)
                outcome.wasKilled = true
            }
        }
        for (index, running) in processes.enumerated() {
            running.process.waitUntilExit()
            let lines = try String(contentsOfFile: running.log, encoding: .utf8)
                .split(separator: "\n").map(String.init)
            outcome.committed += lines.filter { $0.hasPrefix("committed ") }
                .map { String($0.dropFirst("committed ".count)) }
            let isKilled = kills && index == 0
            if running.process.terminationStatus != 0, !isKilled { outcome.failures += lines }
        }
        try FileManager.default.removeItem(atPath: watched)
        watcher.process.waitUntilExit()
        outcome.seen = try String(contentsOfFile: watcher.log, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        if watcher.process.terminationStatus != 0 { outcome.failures += outcome.seen }
        return outcome
    }

    private func start(_ arguments: [String]) throws -> (process: Process, log: String) {
        let log = path + "/../log-\(UUID())"
        try Data().write(to: URL(fileURLWithPath: log))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: DriverStage.driver)
        process.arguments = arguments
        // The leftovers of a killed process are removed with the test's folder.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["TMPDIR": path + "/.."]) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return (process, log)
    }
}

@Suite("several processes")
struct ConcurrencyTests {
    static func run(processes: Int, edits: Int) throws {
        let folder = try TemporaryFolder(isInMemory: true)
        let path = folder.file("Crowd.editlibrary")
        let id: String
        do {
            let library = try PhotoLibrary.create(at: path)
            id = try library.importAsset("original").id
            try library.close()
        }
        let outcome = try Crowd(path: path).work(processes: processes, edits: edits, kills: true)
        #expect(outcome.failures == [])
        #expect(outcome.mixed == [])
        // Files whose rows are not yet committed, and leftovers of the killed process.
        #expect(Set(outcome.findings).isSubset(of: [.orphan, .leftover]))
        let library = try PhotoLibrary.open(at: path)
        // Every change is seen once, in commit order.
        let changes = try library.fetchPersistentChanges(since: library.oldestChangeToken)
        #expect(outcome.seen == changes.map { "seen \($0.token)" })
        let history = try library.history(ofAsset: id)
        let recipes = history.chain.map {
            String(decoding: $0.adjustmentData.data, as: UTF8.self)
        }
        // The killed process may have committed one more edit than it reported.
        #expect(Set(outcome.committed).isSubset(of: recipes))
        #expect(recipes.count - outcome.committed.count <= 1)
        #expect(Set(recipes).count == recipes.count)
        #expect(outcome.committed.count >= (processes - 1) * edits)
        #expect(history.asset.generation == recipes.count)
        #expect(try LibrarySnapshot(of: library).mismatches == [])
        _ = try library.prune(keep: 1000, emptyingTrash: true)
        #expect(try library.check(readingDataOf: 100).severity == .clean)
        print(
            "\(processes) processes, \(outcome.committed.count) edits of one asset, "
                + "\(outcome.readings) readings meanwhile, one killed")
    }

    @Test("eight processes edit one asset, one is killed and one watches; no edit is lost")
    func crowd() throws { try Self.run(processes: 8, edits: 5) }

    @Test("garbage collection waits briefly, then reports that the library is busy")
    func collectionIsBusy() throws {
        let temporary = try TemporaryLibrary()
        do {
            let lock = try LibraryLock(
                temporary.library.root, exclusively: false, waiting: 0)
            let result = try runProgram(DriverStage.driver, [temporary.path, "prune"])
            #expect(result.status == 75)
            #expect(result.output.contains("try again") && !result.output.contains("locked"))
            withExtendedLifetime(lock) {}
        }
        #expect(try runProgram(DriverStage.driver, [temporary.path, "prune"]).status == 0)
    }

    @Test("a database locked by another writer is reported as busy, not locked")
    func words() throws {
        let temporary = try TemporaryLibrary()
        let asset = try temporary.library.importAsset("a")
        var options = PhotoLibrary.Options()
        options.busyTimeout = 0.05
        let other = try temporary.reopen(options)
        let (pool, _) = try temporary.library.writer()
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            let error = try libraryError {
                try other.performChanges { try AssetChangeRequest(for: asset).isFavorite = true }
            }
            #expect(error.code == .busy && !error.description.contains("locked"))
            try database.execute(sql: "ROLLBACK")
        }
    }
}

@Suite("several processes, exhaustive", .torture)
struct ConcurrencyTorture {
    @Test("eight processes make 400 edits of one asset without losing one", arguments: 0..<5)
    func crowd(round: Int) throws { try ConcurrencyTests.run(processes: 8, edits: 50) }
}
