// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Foundation
import Glibc

/// Enforcement of a runner's budget. The kernel's limits come first; the host polls what the kernel does not count or
/// counts differently.
extension RunnerProcess {
    /// The longest intervals between checks, while a request is pending and while none is.
    static let watchIntervals = (busy: Duration.milliseconds(100), idle: Duration.milliseconds(500))
    /// The highest rates per second at which a runner can use up its budget. The next check is scheduled before a limit
    /// could be exceeded at that rate, but not so soon that the checks themselves cost too much.
    private static let fastest = (memory: 8e9, output: 4e9, files: 1e5)
    static let shortestInterval = 0.004

    /// Sets the budget of a new lease.
    func setBudget(_ budget: ExtensionBudget) {
        state.withLock {
            $0.budget = isLimited ? budget : nil
            $0.isBudgetNew = true
            $0.awaited = 0
            $0.runnerMemory.beginLease()
        }
        wakeUp()
    }

    /// Sets the kernel's limits for the next request. CPU time counts from the start of the process, so its limit is
    /// raised each time.
    func applyLimits() {
        let (budget, isBusy, lent) = state.withLock {
            ($0.budget, !$0.pending.isEmpty, $0.runnerMemory.bytes())
        }
        // The PID of a process that is gone may have been reused.
        guard let budget, !isBusy, isAlive else { return }
        let used = max(0, csandbox_processor_time(pid)) / 1_000_000_000 + 1
        let allowed = used + Int64(budget.processorSeconds)
        state.withLock { $0.processorLimit = allowed }
        for (resource, value) in [
            (RLIMIT_CPU, UInt64(allowed)), (RLIMIT_FSIZE, budget.outputBytes),
            (RLIMIT_AS, budget.addressSpace(adding: lent)),
        ] {
            _ = csandbox_set_limit(pid, Int32(resource.rawValue), value)
        }
        if state.withLock({ $0.facts?.sandbox.threads }) != nil {
            _ = csandbox_set_limit(pid, Int32(__RLIMIT_NPROC.rawValue), UInt64(budget.threads))
        }
    }

    /// Returns the time limit of the reply to a request.
    ///
    /// - Parameter isFullSize: Whether the request works on full-size pixels, for which a budget may give more time.
    func allowedTime(timeout: Duration, isFullSize: Bool) -> Duration {
        guard let wallClock = state.withLock({ $0.budget?.wallClock }) else { return timeout }
        return isFullSize ? wallClock : min(timeout, wallClock)
    }

    /// The result of a budget check.
    enum BudgetCheck {
        /// The part of the budget that the runner exceeds.
        case exceeded(ExtensionBudget.Part)
        /// The time until the next check.
        case withinLimits(Duration)
    }

    /// Checks the budget of the runner by measurements from outside the process.
    func checkBudget() -> BudgetCheck {
        let (budget, processorLimit, lent, isBusy) = state.withLock {
            ($0.budget, $0.processorLimit, $0.runnerMemory.bytes(), !$0.pending.isEmpty)
        }
        guard let budget else { return .withinLimits(Self.watchIntervals.idle) }
        // One second after the kernel's limit, whose signal a process can ignore.
        if let processorLimit, csandbox_processor_time(pid) > (processorLimit + 1) * 1_000_000_000 {
            return .exceeded(.processorTime)
        }
        let status = ProcessStatus(pid: pid)
        if let status { state.withLock { $0.checkedPeakMemory = status.peakMemory } }
        if let threads = status?.threads, threads > budget.threads { return .exceeded(.threads) }
        let memory = (status?.memory ?? 0) + lent - min(lent, budget.uncountedOutput)
        if memory > budget.memory { return .exceeded(.memory) }
        let usage = DiskUsage(of: folder.path, upTo: budget.files)
        if usage.count > budget.files { return .exceeded(.files) }
        if usage.bytes > budget.outputBytes { return .exceeded(.output) }
        var soonest = Double(budget.memory - memory) / Self.fastest.memory
        // Nearly all runners write no files.
        if usage.count > 0 {
            soonest = min(
                soonest, Double(budget.outputBytes - usage.bytes) / Self.fastest.output,
                Double(budget.files - usage.count) / Self.fastest.files)
        }
        let longest = isBusy ? Self.watchIntervals.busy : Self.watchIntervals.idle
        return .withinLimits(min(longest, .seconds(max(Self.shortestInterval, soonest))))
    }

    /// The bytes in memory or swapped out; `nil` if the process is gone.
    package var residentMemory: UInt64? { ProcessStatus(pid: pid)?.memory }

    /// Returns the peak memory of the runner, which has ended.
    ///
    /// - Parameter reported: The peak that the kernel reports. A child shares the memory of its parent until it runs
    ///   its program, so this is the larger of its peak and the host's. If the host's is larger, a peak after the last
    ///   check of the budget is unknown.
    func peakMemory(atEnd reported: UInt64) -> UInt64 {
        // The kernel counts pages in batches, so the peaks differ slightly.
        if reported - reported / 16 > hostPeakMemory { return reported }
        return state.withLock { $0.checkedPeakMemory }
    }

    /// Whether the runner has come close to its memory limit.
    func isShortOfMemory() -> Bool {
        guard let budget = state.withLock({ $0.budget }),
            let status = ProcessStatus(pid: pid)
        else { return false }
        return status.peakMemory >= budget.memory / 4 * 3
            || status.peakAddressSpace >= budget.addressSpace / 8 * 7
    }

    /// Whether the runner may hold so much of the lent memory that it should be shut down instead of reused.
    var holdsTooMuchMemory: Bool {
        state.withLock { state in
            guard let budget = state.budget else { return false }
            return state.runnerMemory.bytesAtEnd() > budget.memory / 8
        }
    }
}
