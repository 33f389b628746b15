// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol

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

    /// Converts the death of a runner. The extension of its last phase is to blame.
    init(_ death: RunnerDeath) {
        let log = Self.printed(before: death) + (Self.setting(for: death) ?? "")
        switch death.phase {
        case .calling(let identifier, let call):
            self.init(
                .extensionFailed, "the extension \(identifier) \(death) in \(call)\(log)",
                extension: identifier, underlying: death)
        case .awaitingCompletion(let identifier):
            let words =
                if case .timeout(let allowed) = death.cause {
                    "did not call its completion within \(RunnerDeath.text(allowed)), "
                        + "the deadline for finish"
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

    /// Returns what the runner printed about the reason of its death, in parentheses; empty if it printed nothing.
    static func printed(before death: RunnerDeath) -> String {
        CrashMessage(in: death.log).map { " (it printed: \($0))" } ?? ""
    }

    /// Returns a hint about the configuration setting whose limit was exceeded.
    private static func setting(for death: RunnerDeath) -> String? {
        let identifiers: [String] =
            switch death.phase {
            case .calling(let identifier, _), .loading(let identifier),
                .awaitingCompletion(let identifier):
                [identifier]
            case .pixels(let identifiers): identifiers
            case .idle, .decoding: []
            }
        guard let part = death.exceededPart, let first = identifiers.first else { return nil }
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
