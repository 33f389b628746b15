// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// How a runner came to its end while something was asked of it.
public struct RunnerDeath: Error, Sendable, CustomStringConvertible {
    /// The causes.
    public enum Cause: Sendable, Hashable {
        /// A signal, by its name, for example `SIGSEGV`.
        case signal(String)
        /// It ended by itself with this status, without an answer.
        case exit(Int)
        /// The host killed it, because an answer took longer than this.
        case deadline(Duration)
        /// The host killed it, because it did not keep to the protocol.
        case protocolViolation(String)
        /// The host ended it, because its work was no longer wanted.
        case terminated
    }

    /// What ended it.
    public let cause: Cause
    /// What it was doing, as far as it said.
    public let phase: RunnerPhase
    /// The end of what it and its extensions wrote to stdout and stderr.
    public let log: String

    /// What ended it, in words.
    public var description: String {
        switch cause {
        case .signal(let name): "crashed with \(name)"
        case .exit(let status): "ended with exit status \(status) without an answer"
        case .deadline(let duration): "gave no answer within \(Self.text(duration))"
        case .protocolViolation(let detail): "broke the protocol: \(detail)"
        case .terminated: "was stopped"
        }
    }

    private static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let tenths = attoseconds / 100_000_000_000_000_000
        return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
    }
}
