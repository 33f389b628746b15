// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The death of a runner with a request in flight.
package struct RunnerDeath: Error, Sendable, CustomStringConvertible {
    /// The cause of a death.
    package enum Cause: Sendable, Hashable {
        /// A signal, by its name, for example `SIGSEGV`.
        case signal(String)
        /// The runner exited with this status, without an answer.
        case exit(Int)
        /// The host killed the runner, because an answer took longer than this.
        case timeout(Duration)
        /// The host killed the runner, because it exceeded this part of its budget.
        case exceeded(ExtensionBudget.Part)
        /// The host killed the runner, because it broke the protocol.
        case protocolViolation(String)
        /// The host terminated the runner, because its work was no longer needed.
        case terminated
    }

    /// The cause of the death.
    package let cause: Cause
    /// The last phase that the runner reported.
    package let phase: RunnerPhase
    /// The end of the output of the runner and its extensions to stdout and stderr.
    package let log: String
    /// The budget of the runner; `nil` if it had no limits.
    package var budget: ExtensionBudget?
    /// The peak memory in bytes, as far as it is known.
    package var peakMemory: UInt64 = 0

    /// The extensions whose pixels were computed when the time ran out, possibly while the runner reduced them. `nil`
    /// for any other death.
    var timedOutExtensions: [String]? {
        guard case .pixels(let identifiers) = phase, !identifiers.isEmpty else { return nil }
        switch cause {
        case .timeout, .exceeded(.processorTime), .exceeded(.wallClock), .signal("SIGXCPU"):
            return identifiers
        default: return nil
        }
    }

    /// The part of the budget that was exceeded, as far as it can be determined.
    package var exceededPart: ExtensionBudget.Part? {
        guard let budget else { return nil }
        switch cause {
        case .exceeded(let part): return part
        case .timeout: return budget.wallClock == nil ? nil : .wallClock
        case .signal("SIGXCPU"): return .processorTime
        case .signal("SIGXFSZ"): return .output
        case .signal, .exit:
            let isLarge = peakMemory >= budget.memory / 4 * 3
            return isLarge || Self.reportsLackOfMemory(log) ? .memory : nil
        case .protocolViolation, .terminated: return nil
        }
    }

    /// The messages of GLib, C++, Rust and most others when memory runs out.
    private static func reportsLackOfMemory(_ log: String) -> Bool {
        ["failed to allocate", "bad_alloc", "memory allocation of", "out of memory"].contains {
            log.contains($0)
        }
    }

    /// The cause of the death, for error messages.
    package var description: String {
        if let budget, let part = exceededPart, part != .wallClock {
            return "\(Self.words(for: part, of: budget))\(signature)"
        }
        switch cause {
        case .signal(let name): return "crashed with \(name)"
        case .exit(let status): return "ended with exit status \(status) without an answer"
        case .timeout(let duration): return "did not answer within \(Self.text(duration))"
        case .exceeded(let part): return "exceeded its budget (\(part.rawValue))"
        case .protocolViolation(let detail): return "broke the protocol: \(detail)"
        case .terminated: return "was stopped"
        }
    }

    private var signature: String {
        switch cause {
        case .signal(let name): " (\(name))"
        case .exit(let status): " (exit status \(status))"
        default: ""
        }
    }

    private static func words(
        for part: ExtensionBudget.Part, of budget: ExtensionBudget
    ) -> String {
        switch part {
        case .memory: "exceeded its limit of \(budget.memory >> 20) MiB of memory"
        case .processorTime: "exceeded its limit of \(budget.processorSeconds) s of CPU time"
        case .wallClock: "exceeded its time limit"
        case .output: "exceeded its limit of \(budget.outputBytes >> 20) MiB of output"
        case .threads: "exceeded its limit of \(budget.threads) threads"
        case .files: "exceeded its limit of \(budget.files) files"
        }
    }

    /// Returns a duration in seconds with at most one decimal.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = attoseconds / 100_000_000_000_000_000
        return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
    }
}
