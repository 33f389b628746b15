// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Foundation
import Glibc

/// Keeping a runner to its budget. The kernel's limits come first; where it counts something
/// otherwise, or not at all, the host looks.
extension RunnerProcess {
    /// How often the host looks while something is asked of the runner.
    static let watchInterval = Duration.milliseconds(100)

    /// Says what the runner may use from now on.
    func setBudget(_ budget: ExtensionBudget) {
        state.withLock { $0.budget = isLimited ? budget : nil }
    }

    /// Sets the kernel's limits for the next request. Processor time counts from the start of the
    /// process, so that limit moves on.
    func applyLimits() {
        let (budget, isBusy) = state.withLock { ($0.budget, !$0.pending.isEmpty) }
        // The number of one that is gone may be another's.
        guard let budget, !isBusy, isAlive else { return }
        let used = max(0, csandbox_processor_time(pid)) / 1_000_000_000 + 1
        let allowed = used + Int64(budget.processorSeconds)
        state.withLock { $0.processorLimit = allowed }
        for (resource, value) in [
            (RLIMIT_CPU, UInt64(allowed)), (RLIMIT_FSIZE, budget.outputBytes),
            (RLIMIT_AS, budget.addressSpace),
        ] {
            _ = csandbox_set_limit(pid, Int32(resource.rawValue), value)
        }
        if state.withLock({ $0.facts?.sandbox.threads }) != nil {
            _ = csandbox_set_limit(pid, Int32(__RLIMIT_NPROC.rawValue), UInt64(budget.threads))
        }
    }

    /// How long the answer to a request may take.
    func allowedTime(for request: RunnerRequest, deadline: Duration) -> Duration {
        guard let wallClock = state.withLock({ $0.budget?.wallClock }) else { return deadline }
        switch request {
        case .run, .finish, .render, .takeOutput: return wallClock
        default: return min(deadline, wallClock)
        }
    }

    /// The part of its budget that the runner is over, by what the host can see of it.
    func overdrawnPart() -> ExtensionBudget.Part? {
        let (budget, processorLimit) = state.withLock { ($0.budget, $0.processorLimit) }
        guard let budget else { return nil }
        // A second later than the kernel, whose signal can be ignored.
        if let processorLimit, csandbox_processor_time(pid) > (processorLimit + 1) * 1_000_000_000 {
            return .processorTime
        }
        let status = ProcessStatus(pid: pid)
        if let threads = status?.threads, threads > budget.threads { return .threads }
        if let memory = status?.memory, memory > budget.memory { return .memory }
        return bytesInFolder() > budget.outputBytes ? .output : nil
    }

    /// Whether the runner has come close to all the memory that it may have.
    func isShortOfMemory() -> Bool {
        guard let budget = state.withLock({ $0.budget }),
            let status = ProcessStatus(pid: pid)
        else { return false }
        return status.mostMemory >= budget.memory / 4 * 3
            || status.mostAddressSpace >= budget.addressSpace / 8 * 7
    }

    /// What the files in its private folder take up.
    private func bytesInFolder() -> UInt64 {
        guard let listing = opendir(folder.path) else { return 0 }
        defer { closedir(listing) }
        var sum: UInt64 = 0
        while let entry = readdir(listing) {
            var status = stat()
            let result = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) {
                    fstatat(dirfd(listing), $0, &status, AT_SYMLINK_NOFOLLOW)
                }
            }
            if result == 0, status.st_mode & S_IFMT == S_IFREG {
                sum += UInt64(status.st_blocks) * 512
            }
        }
        return sum
    }
}
