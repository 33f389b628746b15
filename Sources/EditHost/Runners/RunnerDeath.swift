// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// How a runner came to its end while something was asked of it.
package struct RunnerDeath: Error, Sendable, CustomStringConvertible {
    /// The causes.
    package enum Cause: Sendable, Hashable {
        /// A signal, by its name, for example `SIGSEGV`.
        case signal(String)
        /// It ended by itself with this status, without an answer.
        case exit(Int)
        /// The host killed it, because an answer took longer than this.
        case deadline(Duration)
        /// The host killed it, because it used more than its budget allows.
        case overdrawn(ExtensionBudget.Part)
        /// The host killed it, because it did not keep to the protocol.
        case protocolViolation(String)
        /// The host ended it, because its work was no longer wanted.
        case terminated
    }

    /// What ended it.
    package let cause: Cause
    /// What it was doing, as far as it said.
    package let phase: RunnerPhase
    /// The end of what it and its extensions wrote to stdout and stderr.
    package let log: String
    /// What it was allowed to use; nil: anything.
    package var budget: ExtensionBudget?
    /// The most bytes that it had in memory at once.
    package var mostMemory: UInt64 = 0

    /// The part of its budget that it died of, as far as can be seen.
    package var overdrawnPart: ExtensionBudget.Part? {
        guard let budget else { return nil }
        switch cause {
        case .overdrawn(let part): return part
        case .deadline: return budget.wallClock == nil ? nil : .wallClock
        case .signal("SIGXCPU"): return .processorTime
        case .signal("SIGXFSZ"): return .output
        case .signal, .exit:
            let isLarge = mostMemory >= budget.memory / 4 * 3
            return isLarge || Self.tellsOfMemory(log) ? .memory : nil
        case .protocolViolation, .terminated: return nil
        }
    }

    /// What GLib, C++, Rust and most others write when they get no memory.
    private static func tellsOfMemory(_ log: String) -> Bool {
        ["failed to allocate", "bad_alloc", "memory allocation of", "out of memory"].contains {
            log.contains($0)
        }
    }

    /// What ended it, in words.
    package var description: String {
        if let budget, let part = overdrawnPart, part != .wallClock {
            return "\(Self.words(for: part, of: budget))\(signature)"
        }
        switch cause {
        case .signal(let name): return "crashed with \(name)"
        case .exit(let status): return "ended with exit status \(status) without an answer"
        case .deadline(let duration): return "gave no answer within \(Self.text(duration))"
        case .overdrawn(let part): return "used more than its budget has (\(part.rawValue))"
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
        case .memory: "ran out of its \(budget.memory >> 20) MiB of memory"
        case .processorTime: "used more than its \(budget.processorSeconds) s of CPU"
        case .wallClock: "took longer than it may"
        case .output: "wrote more than its \(budget.outputBytes >> 20) MiB of output"
        case .threads: "started more than its \(budget.threads) threads"
        case .files: "made more than its \(budget.files) files"
        }
    }

    private static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = attoseconds / 100_000_000_000_000_000
        return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
    }
}
