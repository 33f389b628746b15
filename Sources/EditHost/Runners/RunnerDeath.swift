// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
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
    package var peakMemory: UInt64 = 0

    /// Whether it had no time left while pixels were computed, which may have gone into making them smaller.
    var isOfReducing: Bool {
        guard case .pixels(let identifiers) = phase, !identifiers.isEmpty else { return false }
        switch cause {
        case .deadline, .overdrawn(.processorTime), .overdrawn(.wallClock), .signal("SIGXCPU"):
            return true
        default: return false
        }
    }

    /// The part of its budget that it died of, as far as can be seen.
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
    /// What a runner said, as the host's error.
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

    /// The end of a runner, blamed by what it was doing.
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

    /// Where the user can allow more of what a runner died for want of.
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

    /// The end of a runner that could not have its sandbox; nil for any other.
    init?(sandboxUnavailableIn death: RunnerDeath) {
        let mark = RunnerArguments.sandboxUnavailable
        guard let line = Self.lastLine(of: death.log), let found = line.range(of: mark) else {
            return nil
        }
        self = .sandboxUnavailable(String(line[found.upperBound...]), underlying: death)
    }

    /// No extension is run without its sandbox, unless the user says so.
    static func sandboxUnavailable(
        _ reason: String, underlying: (any Error)? = nil
    ) -> HostError {
        HostError(
            .sandboxUnavailable,
            "\(RunnerArguments.sandboxUnavailable)\(reason); run edithost doctor to see what "
                + "to enable, or use --no-sandbox at your own risk", underlying: underlying)
    }

    /// The last line that says something, shortened.
    private static func lastLine(of log: String) -> String? {
        log.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .last { !$0.isEmpty }
            .map { String($0.prefix(200)) }
    }
}
