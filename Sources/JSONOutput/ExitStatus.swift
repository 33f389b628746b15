// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Library

/// The exit status of a program. This is the only file that turns errors into messages and exit codes.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Success.
    case done = 0
    /// Some items failed; for `check`, the library can be repaired.
    case someFailed = 1
    /// `check` found damage.
    case damage = 2
    /// Invalid usage, an unknown or invalid parameter, or an ambiguous name.
    case usage = 64
    /// Invalid input data, or not a library.
    case badData = 65
    /// The asset or file does not exist.
    case notFound = 66
    /// The extension does not exist or cannot be used.
    case unavailable = 69
    /// An extension or this program failed.
    case failed = 70
    /// The library or a file cannot be written.
    case cannotWrite = 73
    /// Standard output cannot be written, for example on a full disk.
    case outputFailed = 74
    /// The resource is busy; a retry can succeed.
    case tryAgain = 75
    /// Cancelled by the user.
    case interrupted = 130
    /// The reader of standard output has closed it; the status that shells report for SIGPIPE.
    case outputClosed = 141

    /// A description for help and the reference.
    package var meaning: String {
        switch self {
        case .done: "success"
        case .someFailed: "some of several items failed"
        case .damage: "damaged (check), or not a complete backup (backup --verify)"
        case .usage: "usage error, invalid parameter or ambiguous name"
        case .badData: "invalid input data, or not a library"
        case .notFound: "no such photo or file"
        case .unavailable: "extension, format or sandbox unavailable"
        case .failed: "an extension or edithost itself failed"
        case .cannotWrite: "cannot write the library or a file"
        case .outputFailed: "cannot write standard output"
        case .tryAgain: "busy, try again"
        case .interrupted: "cancelled"
        case .outputClosed: "standard output was closed"
        }
    }

    /// The code of errors that have no other code, for programs.
    package var code: String {
        switch self {
        case .done: "done"
        case .someFailed: "someFailed"
        case .damage: "damage"
        case .usage: "usage"
        case .badData: "badData"
        case .notFound: "notFound"
        case .unavailable: "unavailable"
        case .failed: "failed"
        case .cannotWrite: "cannotWrite"
        case .outputFailed: "outputFailed"
        case .tryAgain: "tryAgain"
        case .interrupted: "interrupted"
        case .outputClosed: "outputClosed"
        }
    }

    /// Creates the status of an error of the library or the host. Other errors mean that the program failed.
    package init(of error: any Error) {
        switch error {
        case let error as HostError: self = Self.status(of: error)
        case let error as LibraryError: self = Self.status(of: error)
        case is InvalidValueError: self = .badData
        case is CancellationError: self = .interrupted
        default: self = .failed
        }
    }

    private static func status(of error: HostError) -> ExitStatus {
        switch error.code {
        case .badParameter, .ambiguousExtension, .badRequest: .usage
        case .badInput, .blockedFormat, .badConfiguration, .missingRenderedContent,
            .invalidRenderedContent:
            .badData
        case .noSuchFile: .notFound
        case .noSuchExtension, .unusableExtension, .unsupportedMediaType, .cannotRender,
            .sandboxUnavailable:
            .unavailable
        case .extensionFailed, .runnerFailed, .runnerUnavailable, .sessionEnded: .failed
        case .tooManySessions, .busy: .tryAgain
        case .fileFailed, .sidecarChanged: .cannotWrite
        case .cancelled: .interrupted
        }
    }

    private static func status(of error: LibraryError) -> ExitStatus {
        switch error.code {
        case .noSuchAsset, .noSuchEdit, .noSuchVersion, .noSuchEntry, .noSuchCollection,
            .cannotRead:
            .notFound
        case .ambiguousIdentifier, .nothingToUndo, .nothingToRedo, .versionExists,
            .invalidRequest, .invalidChangeToken, .folderInItself:
            .usage
        case .notALibrary, .invalidLayout, .newerSchema, .originalMissing, .referencedFileChanged,
            .blobMissing, .originalDamaged, .renditionDamaged, .renditionMissing, .sizeMismatch,
            .damaged, .changeTokenExpired:
            .badData
        case .cannotWrite, .alreadyExists, .readOnly, .unsupportedFileSystem, .notAuthorized:
            .cannotWrite
        case .busy, .conflict: .tryAgain
        case .unsupportedMediaType: .unavailable
        case .outsideChangeBlock, .nestedChangeBlock, .outputForAnotherAsset,
            .missingAdjustmentData, .invalidAdjustmentData, .missingRenderedContent, .database:
            .failed
        }
    }

    /// Returns a one-line message: the problem and a possible remedy.
    package static func words(for error: any Error) -> String {
        error is CancellationError ? "cancelled; nothing else was done" : "\(error)"
    }

    /// Returns the code of an error for programs: that of the library, the host or an invalid value, or otherwise
    /// ``code``. A cancellation always has the code `interrupted`.
    package static func code(for error: any Error) -> String {
        switch error {
        case let error as HostError where error.code != .cancelled: error.code.rawValue
        case let error as LibraryError: error.code.rawValue
        case let error as InvalidValueError: error.code.rawValue
        default: ExitStatus(of: error).code
        }
    }

    /// The values of ``code(for:)``, sorted.
    package static var allCodes: [String] {
        let own = HostError.Code.allCases.filter { $0 != .cancelled }.map(\.rawValue)
        let others =
            LibraryError.Code.allCases.map(\.rawValue)
            + InvalidValueError.Code.allCases.map(\.rawValue)
        let statuses: Set<ExitStatus> = [.done, .someFailed, .damage, .outputFailed, .outputClosed]
        let names = allCases.filter { !statuses.contains($0) }.map(\.code)
        return Set(own + others + names).sorted()
    }
}
