// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Glibc
import Library
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// A plug-in is limited to its budget, and the error names the exceeded limit.
@Suite("budgets")
struct BudgetTests {
    /// A studio with one bomb and a small budget.
    private static func studio(
        _ bomb: String, change: (inout ExtensionBudget) -> Void = { _ in }
    ) throws -> TestStudio {
        try TestStudio(
            extensions: { try TestExtension.buildBomb(bomb, in: $0) },
            configure: { configuration in
                var budget = ExtensionBudget()
                budget.memory = 256 << 20
                budget.outputBytes = 8 << 20
                budget.threads = 64
                change(&budget)
                configuration.budgets.extensions["org.example.bomb"] = budget
            })
    }

    /// Makes an edit with a bomb that must fail, without further effects.
    @discardableResult
    private static func expectFailure(
        _ bomb: String, naming words: [String], change: (inout ExtensionBudget) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> HostError? {
        let studio = try studio(bomb, change: change)
        let asset = try await studio.add(TestPicture.gradient())
        let error = await #expect(throws: HostError.self, sourceLocation: sourceLocation) {
            try await studio.edit(asset, "bomb")
        }
        #expect(error?.code == .extensionFailed, sourceLocation: sourceLocation)
        #expect(
            error?.extensionIdentifier == "org.example.bomb", sourceLocation: sourceLocation)
        let text = error?.description ?? ""
        for word in words + ["org.example.bomb"] {
            #expect(text.contains(word), "\(text)", sourceLocation: sourceLocation)
        }
        #expect(try studio.library.history(ofAsset: asset).chain.isEmpty)
        #expect(try studio.current(asset) == TestPicture.gradient())
        await studio.host.shutDown()
        return error
    }

    /// Makes an edit with a bomb that must end by itself, and returns the amount that it got.
    private static func amount(_ bomb: String) async throws -> Int {
        let studio = try studio(bomb)
        let asset = try await studio.add(TestPicture.gradient())
        try await studio.edit(asset, "bomb")
        let recipe = try #require(try studio.recipe(asset))
        await studio.host.shutDown()
        return try #require(Int(recipe))
    }

    @Test(
        "memory of every kind is limited by the budget, and the error names it",
        arguments: ["malloc_touch", "shm_map", "shm_hidden", "malloc_glib"])
    func memory(bomb: String) async throws {
        let error = try await Self.expectFailure(
            bomb, naming: ["256 MiB of memory", "budgets.org.example.bomb.memoryBytes"])
        if let death = error?.underlying as? RunnerDeath {
            #expect(death.peakMemory <= (256 + 1024) << 20)
        }
    }

    @Test("a crash is no excess of memory, however much memory the host has used")
    func crashBesideLargeHost() async throws {
        // As much as the budget. The peak remains when this is freed.
        #expect(Data(repeating: 1, count: 256 << 20).last == 1)
        try await Self.expectFailure("crash", naming: ["crashed with SIGSEGV"])
    }

    @Test("memory that no limit counts is unavailable")
    func memoryFile() async throws {
        try await Self.expectFailure("memfd_bomb", naming: ["refused: Operation not permitted"])
    }

    @Test("threads are limited by the kernel, or the host ends the runner")
    func threads() async throws {
        do {
            let count = try await Self.amount("thread_bomb")
            #expect(count > 8 && count < 64)
        } catch let error as HostError {
            // The kernel does not count the threads of root.
            let text = "\(error)"
            #expect(text.contains("exceeded its limit of 64 threads"), "\(text)")
            #expect(text.contains("budgets.org.example.bomb.threads"))
        }
    }

    @Test("descriptors including pipes are limited to 64", arguments: ["fd_bomb", "pipe_bomb"])
    func descriptors(bomb: String) async throws {
        let count = try await Self.amount(bomb)
        #expect(count > 10 && count < 64)
    }

    @Test(
        "a file ends at the budget, and nothing of it is left", .serialized,
        arguments: [
            ("out_huge", "exceeded its limit of 8 MiB of output (SIGXFSZ)"),
            ("out_huge_ign", "refused: File too large"),
            ("out_sparse", "refused: File too large"),
            ("out_fallocate", "refused: "),
            ("out_many", "exceeded its limit of 8 MiB of output"),
            ("out_files", "exceeded its limit of 1000 files"),
        ])
    func output(bomb: String, words: String) async throws {
        try await Self.expectFailure(bomb, naming: [words])
        // The folders of other processes' hosts are locked.
        let left = Self.runnerFolders().filter {
            FileManager.default.fileExists(atPath: "\($0)/rendered-1.png.0") && !Self.isLocked($0)
        }
        #expect(left == [])
    }

    private static func isLocked(_ path: String) -> Bool {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return false }
        defer { close(folder) }
        return flock(folder, LOCK_EX | LOCK_NB) != 0
    }

    private static func runnerFolders() -> Set<String> {
        let parent = FileManager.default.temporaryDirectory.path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return Set(names.filter { $0.hasPrefix("edithost-runner-") }.map { "\(parent)/\($0)" })
    }

    @Test(
        "processor time is limited even if its signal is ignored",
        arguments: [
            ("spin", "exceeded its limit of 1 s of CPU time (SIGXCPU)"), ("spin_ign", "1 s of CPU"),
        ])
    func processorTime(bomb: String, words: String) async throws {
        try await Self.expectFailure(
            bomb, naming: [words, "in finish", "budgets.org.example.bomb.cpuSeconds"]
        ) { $0.processorSeconds = 1 }
    }

    @Test("an overlong call is ended with an error that names the setting")
    func wallClock() async throws {
        try await Self.expectFailure(
            "wait_long",
            naming: ["did not answer within 1 s", "budgets.org.example.bomb.wallClockSeconds"]
        ) { $0.wallClock = .seconds(1) }
    }

    @Test("processor time is counted per call, not per runner")
    func processorTimePerCall() async throws {
        let studio = try Self.studio("tell_limit") { $0.processorSeconds = 7 }
        let asset = try await studio.add(TestPicture.gradient())
        try await studio.edit(asset, "bomb")
        let limit = try #require(try studio.recipe(asset).flatMap { Int($0) })
        // The time used before is short, but can be some seconds on a busy machine.
        #expect(limit >= 8 && limit < 60)
        await studio.host.shutDown()
    }

    @Test("extensions that share a runner get the largest of their budgets")
    func combined() {
        var (one, other) = (ExtensionBudget(), ExtensionBudget())
        one.memory = 1 << 30
        one.threads = 200
        one.wallClock = .seconds(9)
        other.memory = 2 << 30
        other.threads = 100
        var budgets = ExtensionBudgets()
        budgets.extensions = ["one": one, "other": other]
        let both = budgets.budget(for: ["one", "other"])
        #expect(both.memory == 2 << 30)
        #expect(both.threads == 200)
        #expect(both.wallClock == .seconds(9))
        #expect(budgets.budget(for: ["third"]) == budgets.standard)
        #expect(budgets.limits.threads.most >= 200)
        #expect(budgets.limits.addressSpace.most >= budgets.limits.addressSpace.now)
    }
}
