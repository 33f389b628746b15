// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
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
        case deadline(Duration)
        /// The host killed the runner, because it exceeded this part of its budget.
        case overdrawn(ExtensionBudget.Part)
        /// The host killed the runner, because it broke the protocol.
        case protocolViolation(String)
        /// The host terminated the runner, because its work was no longer wanted.
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
    /// The peak of the bytes in memory.
    package var peakMemory: UInt64 = 0

    /// Whether the time ran out while pixels were computed, possibly while the runner reduced them.
    var isOfReducing: Bool {
        guard case .pixels(let identifiers) = phase, !identifiers.isEmpty else { return false }
        switch cause {
        case .deadline, .overdrawn(.processorTime), .overdrawn(.wallClock), .signal("SIGXCPU"):
            return true
        default: return false
        }
    }

    /// The part of the budget that was exceeded, as far as it can be determined.
    package var overdrawnPart: ExtensionBudget.Part? {
        guard let budget else { return nil }
        switch cause {
        case .overdrawn(let part): return part
        case .deadline: return budget.wallClock == nil ? nil : .wallClock
        case .signal("SIGXCPU"): return .processorTime
        case .signal("SIGXFSZ"): return .output
        case .signal, .exit:
            let isLarge = peakMemory >= budget.memory / 4 * 3
            return isLarge || Self.tellsOfMemory(log) ? .memory : nil
        case .protocolViolation, .terminated: return nil
        }
    }

    /// The messages of GLib, C++, Rust and most others when memory runs out.
    private static func tellsOfMemory(_ log: String) -> Bool {
        ["failed to allocate", "bad_alloc", "memory allocation of", "out of memory"].contains {
            log.contains($0)
        }
    }

    /// The cause of the death, for error messages.
    package var description: String {
        if let budget, let part = overdrawnPart, part != .wallClock {
            return "\(Self.words(for: part, of: budget))\(signature)"
        }
        switch cause {
        case .signal(let name): return "crashed with \(name)"
        case .exit(let status): return "ended with exit status \(status) without an answer"
        case .deadline(let duration): return "did not answer within \(Self.text(duration))"
        case .overdrawn(let part): return "exceeded its budget (\(part.rawValue))"
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

    fileprivate static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = attoseconds / 100_000_000_000_000_000
        return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
    }
}

extension HostError {
    /// Converts a failure reported by a runner.
    init(_ failure: RunnerFailure) {
        let code: Code =
            switch failure.code {
            case .badInput, .tooLarge, .otherMakerNote: .badInput
            case .blockedFormat: .blockedFormat
            case .badExtension: .unusableExtension
            case .extensionFailed: .extensionFailed
            case .cannotHandle: .cannotRender
            case .badParameter: .badParameter
            case .cancelled: .cancelled
            case .unwritableFormat: .badRequest
            case .diskFull: .fileFailed
            case .outputFailed, .badRequest: .runnerFailed
            }
        self.init(
            code, failure.message, extension: failure.extensionIdentifier, underlying: failure)
    }

    /// Converts the death of a runner, blaming the extension of its last phase.
    init(_ death: RunnerDeath) {
        let log =
            (Self.lastLine(of: death.log).map { " (it printed: \($0))" } ?? "")
            + (Self.setting(for: death) ?? "")
        switch death.phase {
        case .calling(let identifier, let call):
            self.init(
                .extensionFailed, "the extension \(identifier) \(death) in \(call)\(log)",
                extension: identifier, underlying: death)
        case .awaitingCompletion(let identifier):
            let words =
                if case .deadline(let allowed) = death.cause {
                    "did not call its completion within \(RunnerDeath.text(allowed))"
                } else { "\(death) before it called its completion" }
            self.init(
                .extensionFailed, "the extension \(identifier) \(words)\(log)",
                extension: identifier, underlying: death)
        case .loading(let identifier):
            self.init(
                .extensionFailed, "the extension \(identifier) \(death) while it was loaded\(log)",
                extension: identifier, underlying: death)
        case .pixels(let identifiers) where identifiers.count == 1:
            self.init(
                .extensionFailed,
                "the extension \(identifiers[0]) \(death) while its pixels were computed\(log)",
                extension: identifiers[0], underlying: death)
        case .pixels(let identifiers) where !identifiers.isEmpty:
            let names = identifiers.joined(separator: ", ")
            self.init(
                .extensionFailed,
                "one of the extensions \(names) \(death) while pixels were computed\(log)",
                underlying: death)
        case .idle, .decoding, .pixels:
            self.init(
                .runnerFailed, "the runner \(death) while it read or wrote the picture\(log)",
                underlying: death)
        }
    }

    /// Returns a hint at the configuration setting that was exceeded.
    private static func setting(for death: RunnerDeath) -> String? {
        let identifiers: [String] =
            switch death.phase {
            case .calling(let identifier, _), .loading(let identifier),
                .awaitingCompletion(let identifier):
                [identifier]
            case .pixels(let identifiers): identifiers
            case .idle, .decoding: []
            }
        guard let part = death.overdrawnPart, let first = identifiers.first else { return nil }
        return "; raise budgets.\(first).\(part.rawValue) in the configuration file"
    }

    /// Converts the death of a runner without its sandbox. Returns `nil` for any other death.
    init?(sandboxUnavailableIn death: RunnerDeath) {
        let mark = RunnerArguments.sandboxUnavailable
        guard let line = Self.lastLine(of: death.log), let found = line.range(of: mark) else {
            return nil
        }
        self = .sandboxUnavailable(String(line[found.upperBound...]), underlying: death)
    }

    /// Returns the error for a missing sandbox. Extensions run without one only if the user allows it.
    static func sandboxUnavailable(
        _ reason: String, underlying: (any Error)? = nil
    ) -> HostError {
        HostError(
            .sandboxUnavailable,
            "\(RunnerArguments.sandboxUnavailable)\(reason); run edithost doctor to see what "
                + "to enable, or use --no-sandbox at your own risk", underlying: underlying)
    }

    /// Returns the last line that is not empty, shortened.
    private static func lastLine(of log: String) -> String? {
        log.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .last { !$0.isEmpty }
            .map { String($0.prefix(200)) }
    }
}
