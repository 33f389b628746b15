// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

/// The reason why a job was not rendered.
enum WorkFailure: Sendable {
    /// The code of an outcome whose input does not match its hash.
    static let inputDamaged = "inputDamaged"
    /// The code of an outcome of a job that killed its workers.
    static let workerDied = "workerDied"
    /// The code of an outcome of a job whose extension is in quarantine.
    static let quarantined = "quarantined"

    /// The picture or an extension caused the failure, which is final.
    case job(code: String, reason: String, extension: String?)
    /// An extension is in quarantine in this attempt.
    case quarantined(reason: String, extension: String?)
    /// An input does not match its hash.
    case damage(reason: String)
    /// The node caused the failure.
    case node(reason: String)

    /// - Parameter isQuarantined: Whether the extension with an identifier is in quarantine.
    init(_ error: any Error, isQuarantined: (String) -> Bool) {
        switch error {
        case let error as WorkInputs.Damage: self = .damage(reason: error.message)
        case let error as HostError:
            let identifier = error.extensionIdentifier
            if error.code == .unusableExtension, identifier.map(isQuarantined) == true {
                self = .quarantined(reason: error.message, extension: identifier)
            } else if Self.isFinal(error) {
                self = .job(
                    code: error.code.rawValue, reason: error.message, extension: identifier)
            } else {
                self = .node(reason: error.message)
            }
        // The runner wrote an empty or truncated file.
        case let error as LibraryError where error.code == .sizeMismatch:
            self = .job(code: error.code.rawValue, reason: error.message, extension: nil)
        default: self = .node(reason: "\(error)")
        }
    }

    private static func isFinal(_ error: HostError) -> Bool {
        // The kernel kills a runner if the node has too little memory, and an engine signals all processes of a job.
        let outside: [RunnerDeath.Cause] = [
            .signal("SIGKILL"), .signal("SIGTERM"), .signal("SIGINT"), .signal("SIGHUP"),
            .terminated,
        ]
        if let death = error.underlying as? RunnerDeath, outside.contains(death.cause),
            death.exceededPart == nil
        {
            return false
        }
        switch error.code {
        case .extensionFailed, .runnerFailed, .badInput, .blockedFormat, .badParameter,
            .cannotRender, .unsupportedMediaType, .missingRenderedContent, .invalidRenderedContent:
            return true
        case .noSuchExtension, .ambiguousExtension, .unusableExtension, .runnerUnavailable,
            .sandboxUnavailable, .badConfiguration, .noSuchFile, .fileFailed, .busy, .cancelled,
            .sessionEnded, .tooManySessions, .badRequest, .sidecarChanged:
            return false
        }
    }
}
