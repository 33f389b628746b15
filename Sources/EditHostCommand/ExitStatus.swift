// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import EditingModel
import Library

/// What the program ends with. This file alone turns errors into words and numbers.
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Everything was done.
    case done = 0
    /// Some of several items failed, the others are done; `check`: repairable.
    case someFailed = 1
    /// `check`: damage.
    case damage = 2
    /// Wrong usage, an unknown or bad parameter, an ambiguous name.
    case usage = 64
    /// Bad input data, or not a library.
    case badData = 65
    /// No such asset or file.
    case notFound = 66
    /// No such extension, or it cannot be used.
    case unavailable = 69
    /// An extension, or this program, failed.
    case failed = 70
    /// The library, or a file, cannot be written.
    case cannotWrite = 73
    /// Standard output cannot be written, as on a full disk.
    case outputFailed = 74
    /// Busy; try again.
    case tryAgain = 75
    /// Cancelled by the user.
    case interrupted = 130
    /// No process reads the output any more; what a shell shows for SIGPIPE.
    case outputClosed = 141

    /// What it means, for help and the reference.
    var meaning: String {
        switch self {
        case .done: "success"
        case .someFailed: "some of several items failed"
        case .damage: "damaged (check), or not a complete backup (backup --verify)"
        case .usage: "usage error, invalid parameter or ambiguous name"
        case .badData: "invalid input data, or not a library"
        case .notFound: "no such photograph or file"
        case .unavailable: "extension, format or sandbox unavailable"
        case .failed: "an extension or edithost itself failed"
        case .cannotWrite: "cannot write the library or a file"
        case .outputFailed: "cannot write standard output"
        case .tryAgain: "busy, try again"
        case .interrupted: "cancelled"
        case .outputClosed: "standard output was closed"
        }
    }

    /// The status of an error.
    init(_ error: any Error) {
        switch error {
        case let end as CommandEnd: self = end.status
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
        case .fileFailed: .cannotWrite
        case .cancelled: .interrupted
        }
    }

    private static func status(of error: LibraryError) -> ExitStatus {
        switch error.code {
        case .noSuchAsset, .noSuchEdit, .noSuchVersion, .noSuchCollection, .cannotRead: .notFound
        case .ambiguousIdentifier, .nothingToUndo, .nothingToRedo, .invalidRequest,
            .invalidChangeToken, .folderInItself:
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

    /// The status of several items: that of the first failure where all failed.
    init(failures: [any Error], of count: Int) {
        guard let first = failures.first else {
            self = .done
            return
        }
        self = failures.count < count ? .someFailed : ExitStatus(first)
    }

    /// Writes what the user should know of an error that ended the program.
    ///
    /// - Returns: the program's exit status.
    static func reporting(_ error: any Error) -> Int32 {
        switch error {
        case let end as CommandEnd:
            if let message = end.message { StandardStream.error.message(message) }
            return end.status.rawValue
        case is HostError, is LibraryError, is CancellationError:
            break
        default:
            // Help, the version and wrong usage are the parser's to tell.
            let code = RootCommand.exitCode(for: error)
            if code == .success { return printing(error) }
            if code != .failure {
                StandardStream.error.write(lines: RootCommand.fullMessage(for: error))
                return code.rawValue
            }
        }
        StandardStream.error.message(words(for: error))
        return ExitStatus(error).rawValue
    }

    /// Prints help, the version, a completion script or the words that a shell has asked for.
    private static func printing(_ answer: any Error) -> Int32 {
        do {
            var text = RootCommand.fullMessage(for: answer)
            let isOffer = CommandLine.arguments.dropFirst().first == "---completion"
            if !isOffer, let shell = CompletionShell.requesting {
                text = try CompletionScript.replacingFunctions(in: text, for: shell)
            }
            if !text.isEmpty { try StandardStream.output.print(text + "\n") }
            return ExitStatus.done.rawValue
        } catch {
            return reporting(error)
        }
    }

    /// What happened and what to do, in one line.
    static func words(for error: any Error) -> String {
        error is CancellationError ? "cancelled; nothing else was done" : "\(error)"
    }
}

/// Ends a command with a status other than 0.
struct CommandEnd: Error {
    let status: ExitStatus
    /// What to tell the user; nil where all has been told.
    var message: String?

    /// The user cancelled a command for many items; what is done stays.
    ///
    /// - Parameters:
    ///   - verb: what was done with `count` of them, as a participle.
    ///   - progress: how far the work was.
    static func cancelled(_ count: Int, _ verb: String, _ progress: ProgressLine) -> CommandEnd {
        let left = progress.left.map { ", \($0) left" } ?? ""
        return CommandEnd(
            status: .interrupted, message: "cancelled; \(count) \(verb) and kept\(left)")
    }
}
