// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Foundation
import Glibc

/// Keeping a runner to its budget. The kernel's limits come first; where it counts something
/// otherwise, or not at all, the host looks.
extension RunnerProcess {
    /// How often the host looks while something is asked of the runner, at the least, and while
    /// nothing is.
    static let watchIntervals = (busy: Duration.milliseconds(100), idle: Duration.milliseconds(500))
    /// The closer a runner is to the end of its budget the sooner the host looks again: when it
    /// could be there, taking so much a second. But never so often that looking itself is work.
    private static let fastest = (memory: 8e9, output: 4e9, files: 1e5)
    static let shortestInterval = 0.004

    /// Says what the runner may use from now on, and that somebody else has it.
    func setBudget(_ budget: ExtensionBudget) {
        state.withLock {
            $0.budget = isLimited ? budget : nil
            $0.isBudgetNew = true
            $0.awaited = 0
            $0.lent.beginLease()
        }
        wakeUp()
    }

    /// Sets the kernel's limits for the next request. Processor time counts from the start of the
    /// process, so that limit moves on.
    func applyLimits() {
        let (budget, isBusy, lent) = state.withLock {
            ($0.budget, !$0.pending.isEmpty, $0.lent.bytes())
        }
        // The number of one that is gone may be another's.
        guard let budget, !isBusy, isAlive else { return }
        let used = max(0, csandbox_processor_time(pid)) / 1_000_000_000 + 1
        let allowed = used + Int64(budget.processorSeconds)
        state.withLock { $0.processorLimit = allowed }
        for (resource, value) in [
            (RLIMIT_CPU, UInt64(allowed)), (RLIMIT_FSIZE, budget.outputBytes),
            (RLIMIT_AS, budget.addressSpace(beside: lent)),
        ] {
            _ = csandbox_set_limit(pid, Int32(resource.rawValue), value)
        }
        if state.withLock({ $0.facts?.sandbox.threads }) != nil {
            _ = csandbox_set_limit(pid, Int32(__RLIMIT_NPROC.rawValue), UInt64(budget.threads))
        }
    }

    /// How long the answer to a request may take.
    ///
    /// - Parameter isFullSize: it works on full-size pixels, for which a budget may give more time.
    func allowedTime(deadline: Duration, isFullSize: Bool) -> Duration {
        guard let wallClock = state.withLock({ $0.budget?.wallClock }) else { return deadline }
        return isFullSize ? wallClock : min(deadline, wallClock)
    }

    /// What the host saw when it looked.
    enum Look {
        /// The part of its budget that the runner is over.
        case overdrawn(ExtensionBudget.Part)
        /// Look again after this time.
        case fine(Duration)
    }

    /// Looks whether the runner keeps to its budget, by what can be seen from outside.
    func look() -> Look {
        let (budget, processorLimit, lent, isBusy) = state.withLock {
            ($0.budget, $0.processorLimit, $0.lent.bytes(), !$0.pending.isEmpty)
        }
        guard let budget else { return .fine(Self.watchIntervals.idle) }
        // A second later than the kernel, whose signal can be ignored.
        if let processorLimit, csandbox_processor_time(pid) > (processorLimit + 1) * 1_000_000_000 {
            return .overdrawn(.processorTime)
        }
        let status = ProcessStatus(pid: pid)
        if let threads = status?.threads, threads > budget.threads { return .overdrawn(.threads) }
        let memory = (status?.memory ?? 0) + lent - min(lent, budget.uncountedOutput)
        if memory > budget.memory { return .overdrawn(.memory) }
        let use = FolderUse(of: folder.path, upTo: budget.files)
        if use.count > budget.files { return .overdrawn(.files) }
        if use.bytes > budget.outputBytes { return .overdrawn(.output) }
        var soonest = Double(budget.memory - memory) / Self.fastest.memory
        // Nearly all write no file at all.
        if use.count > 0 {
            soonest = min(
                soonest, Double(budget.outputBytes - use.bytes) / Self.fastest.output,
                Double(budget.files - use.count) / Self.fastest.files)
        }
        let longest = isBusy ? Self.watchIntervals.busy : Self.watchIntervals.idle
        return .fine(min(longest, .seconds(max(Self.shortestInterval, soonest))))
    }

    /// Whether the runner has come close to all the memory that it may have.
    func isShortOfMemory() -> Bool {
        guard let budget = state.withLock({ $0.budget }),
            let status = ProcessStatus(pid: pid)
        else { return false }
        return status.peakMemory >= budget.memory / 4 * 3
            || status.peakAddressSpace >= budget.addressSpace / 8 * 7
    }

    /// Whether the runner may hold so much of the memory that it was given that it is better
    /// ended than used again.
    var holdsTooMuch: Bool {
        state.withLock { state in
            guard let budget = state.budget else { return false }
            return state.lent.bytesAtEnd() > budget.memory / 8
        }
    }
}
