// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerProtocol

extension HostError {
    /// What a runner said, as the host's error.
    init(_ failure: RunnerFailure) {
        let code: Code =
            switch failure.code {
            case .badInput, .tooLarge: .badInput
            case .blockedFormat: .blockedFormat
            case .badExtension: .unusableExtension
            case .extensionFailed: .extensionFailed
            case .cannotHandle: .cannotRender
            case .badParameter: .badParameter
            case .cancelled: .cancelled
            case .outputFailed, .badRequest: .runnerFailed
            }
        self.init(
            code, failure.message, extension: failure.extensionIdentifier, underlying: failure)
    }

    /// The end of a runner, blamed by what it was doing.
    init(_ death: RunnerDeath) {
        let log =
            (Self.lastLine(of: death.log).map { " (it wrote: \($0))" } ?? "")
            + (Self.setting(for: death) ?? "")
        switch death.phase {
        case .calling(let identifier, let call):
            self.init(
                .extensionFailed, "the extension \(identifier) \(death) in \(call)\(log)",
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
            case .calling(let identifier, _), .loading(let identifier): [identifier]
            case .pixels(let identifiers): identifiers
            case .idle, .decoding: []
            }
        guard let part = death.overdrawnPart, let first = identifiers.first else { return nil }
        return "; budgets.\(first).\(part.rawValue) in the configuration can allow more"
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
            "\(RunnerArguments.sandboxUnavailable)\(reason); edithost doctor tells what to enable, "
                + "--no-sandbox does without at your own risk", underlying: underlying)
    }

    /// The last line that says something, shortened.
    private static func lastLine(of log: String) -> String? {
        log.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .last { !$0.isEmpty }
            .map { String($0.prefix(200)) }
    }
}
