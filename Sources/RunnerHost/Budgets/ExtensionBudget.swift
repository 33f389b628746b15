// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol

/// The resource limits of an extension. If a runner exceeds them it is killed, and the edit
/// fails.
public struct ExtensionBudget: Hashable, Sendable {
    /// The memory in bytes, in addition to 1 GiB for the runner's own code and stacks. Includes memory files that the
    /// extension writes or may still hold. The default is 8 GiB, because a session may hold the pixels of a
    /// 100-megapixel picture several times.
    public var memory: UInt64 = 8 << 30
    /// The processor time of each call in seconds, summed over all threads. The default is 300.
    public var processorSeconds = 300
    /// The wall-clock time of each call. The default, nil, means ``RunnerTimeouts``: 300 seconds for
    /// full-size pixels, less for other calls. A longer time applies only to full-size pixels.
    public var wallClock: Duration?
    /// The size in bytes of each file that it writes, including output in memory, and the total size of
    /// its private folder. The default is 4 GiB.
    public var outputBytes: UInt64 = 4 << 30
    /// The number of threads of the runner, including about ten that the runner itself needs. The default is 64, or
    /// more with more than 12 processors.
    public var threads = max(64, 16 + 4 * ProcessInfo.processInfo.activeProcessorCount)

    /// The number of files in its private folder. The default is 1000.
    public var files = 1000
    /// The bytes of output in memory that are not counted as memory.
    var uncountedOutput: UInt64 = 0

    /// Creates a budget with the defaults.
    public init() {}

    /// The individual limits. The raw values are the keys of the configuration file.
    public enum Part: String, CaseIterable, Sendable {
        /// The limit ``ExtensionBudget/memory``.
        case memory = "memoryBytes"
        /// The limit ``ExtensionBudget/processorSeconds``.
        case processorTime = "cpuSeconds"
        /// The limit ``ExtensionBudget/wallClock``.
        case wallClock = "wallClockSeconds"
        /// The limit ``ExtensionBudget/outputBytes``.
        case output = "outputBytes"
        /// The limit ``ExtensionBudget/threads``.
        case threads = "threads"
        /// The limit ``ExtensionBudget/files``.
        case files = "files"
    }

    /// Returns the budget of a runner shared by extensions with two budgets: the larger value of each limit.
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

    /// The budget of runners that only decode and encode, without extensions.
    static let codecs: ExtensionBudget = {
        var budget = ExtensionBudget()
        budget.outputBytes = 8 << 30
        budget.uncountedOutput = budget.outputBytes
        return budget
    }()
}

extension ExtensionBudget {
    /// The limit on address space that corresponds to the budget. It is 1 GiB larger, because libraries and stacks take
    /// about 0.7 GiB, little of which is used.
    var addressSpace: UInt64 { memory + (1 << 30) }

    /// Returns the limit for a runner that may also hold lent memory, which need not be mapped into its address space.
    func addressSpace(adding lent: UInt64) -> UInt64 {
        addressSpace - min(lent, memory / 2)
    }
}
