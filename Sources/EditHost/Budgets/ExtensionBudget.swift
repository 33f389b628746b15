// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol

/// How much an extension may use of the machine. A runner that goes over it is ended, and the edit
/// fails.
public struct ExtensionBudget: Hashable, Sendable {
    /// Bytes of memory, beside 1 GiB for the runner's own code and stacks: its own, and the files in
    /// memory that it writes or may have kept. By default 8 GiB: a session may hold the pixels of a
    /// picture of 100 megapixels several times over.
    public var memory: UInt64 = 8 << 30
    /// Seconds of processor time for each call, all threads together. By default 300.
    public var processorSeconds = 300
    /// How long each call may take. By default, nil, what ``RunnerDeadlines`` say: 300 seconds for
    /// full-size pixels, less for other calls. A longer time is for full-size pixels only.
    public var wallClock: Duration?
    /// Bytes of each file that it writes, output in memory included, and of all in its private
    /// folder together. By default 4 GiB.
    public var outputBytes: UInt64 = 4 << 30
    /// Threads of the runner, some ten of which are its own. By default 64, or more where there
    /// are more than 12 processors.
    public var threads = max(64, 16 + 4 * ProcessInfo.processInfo.activeProcessorCount)

    /// Files in its private folder. By default 1000.
    public var files = 1000
    /// Bytes of output in memory that do not count as memory.
    var uncountedOutput: UInt64 = 0

    /// The defaults.
    public init() {}

    /// The parts of a budget.
    public enum Part: String, CaseIterable, Sendable {
        /// ``ExtensionBudget/memory``
        case memory = "memoryBytes"
        /// ``ExtensionBudget/processorSeconds``
        case processorTime = "cpuSeconds"
        /// ``ExtensionBudget/wallClock``
        case wallClock = "wallClockSeconds"
        /// ``ExtensionBudget/outputBytes``
        case output = "outputBytes"
        /// ``ExtensionBudget/threads``
        case threads = "threads"
        /// ``ExtensionBudget/files``
        case files = "files"
    }

    /// What those who use several extensions at once may use: the most of each.
    func combined(with other: ExtensionBudget) -> ExtensionBudget {
        var budget = self
        budget.memory = max(memory, other.memory)
        budget.processorSeconds = max(processorSeconds, other.processorSeconds)
        if let mine = wallClock, let theirs = other.wallClock {
            budget.wallClock = max(mine, theirs)
        } else {
            budget.wallClock = wallClock ?? other.wallClock
        }
        budget.outputBytes = max(outputBytes, other.outputBytes)
        budget.threads = max(threads, other.threads)
        budget.files = max(files, other.files)
        return budget
    }

    /// What decoders and encoders may use, where no extension is.
    static let codecs: ExtensionBudget = {
        var budget = ExtensionBudget()
        budget.outputBytes = 8 << 30
        budget.uncountedOutput = budget.outputBytes
        return budget
    }()
}

/// The budgets of all extensions. They are the host's to give: no manifest can change them.
public struct ExtensionBudgets: Hashable, Sendable {
    /// What each extension may use that is not listed.
    public var standard = ExtensionBudget()
    /// The budgets of some extensions, by their identifiers.
    public var extensions: [String: ExtensionBudget] = [:]

    /// The defaults.
    public init() {}

    /// What one extension may use.
    public func budget(for identifier: String) -> ExtensionBudget {
        extensions[identifier] ?? standard
    }

    /// What a runner may use that holds these extensions: the largest of their budgets.
    func budget(for identifiers: some Collection<String>) -> ExtensionBudget {
        let budgets = identifiers.map(budget(for:))
        guard let first = budgets.first else { return .codecs }
        return budgets.dropFirst().reduce(first) { $0.combined(with: $1) }
    }

    /// The limits of a new runner, which can be raised as far as any budget needs.
    var limits: RunnerLimits {
        let now = ExtensionBudget.codecs
        let most = extensions.values.reduce(now.combined(with: standard)) {
            $0.combined(with: $1)
        }
        return RunnerLimits(
            addressSpace: .init(now: now.addressSpace, most: most.addressSpace),
            fileSize: .init(now: now.outputBytes, most: most.outputBytes),
            threads: .init(now: UInt64(now.threads), most: UInt64(most.threads)))
    }
}

extension ExtensionBudget {
    /// The limit of address space that keeps to the budget: some 0.7 GiB of it are libraries and
    /// stacks that are hardly used.
    var addressSpace: UInt64 { memory + (1 << 30) }

    /// The same for a runner that may hold so many bytes besides, which it need not have mapped.
    func addressSpace(beside lent: UInt64) -> UInt64 {
        addressSpace - min(lent, memory / 2)
    }
}
