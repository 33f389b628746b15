// SPDX-License-Identifier: Apache-2.0

import RunnerHost

/// The outcome of a ``ValidationCheck``. All except `passed` have a reason, in words.
public enum ValidationOutcome: Hashable, Sendable {
    /// The extension does what the check requires.
    case passed
    /// The extension does not do what the check requires.
    case failed(String)
    /// The behaviour may be intended, but is a mistake in most extensions.
    case warning(String)
    /// The check does not apply or is incomplete, or an earlier check that it depends on did not pass.
    case skipped(String)
    /// The extension's process died.
    case crashed(String)

    /// The name of the case.
    public var name: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .warning: "warning"
        case .skipped: "skipped"
        case .crashed: "crashed"
        }
    }

    /// The reason; nil if the check passed.
    public var reason: String? {
        switch self {
        case .passed: nil
        case .failed(let reason), .warning(let reason), .skipped(let reason), .crashed(let reason):
            reason
        }
    }

    /// True if the extension must be corrected.
    public var isFailure: Bool {
        switch self {
        case .failed, .crashed: true
        case .passed, .warning, .skipped: false
        }
    }

    /// Creates the outcome of a check that threw an error.
    ///
    /// - Throws: The error if the extension did not cause it.
    init(_ error: any Error) throws {
        if let finding = error as? ValidationFinding {
            self = finding.outcome
            return
        }
        guard let error = error as? HostError, !Self.isOfHost(error) else { throw error }
        if let death = error.underlying as? RunnerDeath, death.isCrash {
            self = .crashed(error.message)
        } else {
            self = .failed(error.message)
        }
    }

    private static func isOfHost(_ error: HostError) -> Bool {
        switch error.code {
        case .runnerUnavailable, .sandboxUnavailable, .badConfiguration, .noSuchFile, .fileFailed:
            true
        default: false
        }
    }
}

extension RunnerDeath {
    /// Whether the process ended itself. Otherwise the host killed it.
    fileprivate var isCrash: Bool {
        switch cause {
        case .signal, .exit: exceededPart == nil
        case .timeout, .exceeded, .protocolViolation, .terminated: false
        }
    }
}
