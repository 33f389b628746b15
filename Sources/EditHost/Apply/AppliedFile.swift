// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

/// The result of rendering one file with edits.
public struct AppliedFile: Sendable {
    /// The outcome for a file.
    public enum Status: String, Sendable {
        /// The rendered file was written.
        case written
        /// An identical file was already there.
        case present
        /// The file is not a photo or video.
        case skipped
        /// The file could not be read, edited or written.
        case failed
    }

    /// The path of the file as it was found.
    public let path: String
    /// The outcome for the file.
    public let status: Status
    /// The paths of the rendered file and of the files beside it, such as a sidecar.
    public var files: [String] = []
    /// The reason why the file was skipped or has failed.
    public var error: (any Error)?
    /// Warnings for the user, for example that only the first frame is used.
    public var warnings: [String] = []
    /// True for a video to which format, quality, size, sharpening and profile were not applied.
    public var isLeftVideo = false

    init(path: String, status: Status) {
        self.path = path
        self.status = status
    }

    /// A file that would be rendered.
    ///
    /// - Parameters:
    ///   - warnings: The warnings of its import and about its edits.
    ///   - isLeftVideo: Whether it is a video to which options for photos would not be applied.
    init(planned path: String, warnings: [String], isLeftVideo: Bool) {
        self.init(path: path, status: .written)
        self.warnings = warnings.map(Self.withoutAdvice)
        self.isLeftVideo = isLeftVideo
    }

    /// A file that could not be rendered.
    init(_ path: String, failure: any Error) {
        self.init(path: path, status: .failed)
        error = Self.withoutAsset(failure)
    }

    /// Creates the result of an exported file.
    ///
    /// - Parameter warnings: The warnings of its import and its edits.
    init(_ path: String, _ result: ExportResult, warnings: [String]) {
        switch result.path {
        case .failure(let error): self.init(path, failure: error)
        case .success(let file):
            self.init(path: path, status: result.reason == .present ? .present : .written)
            files = [file] + result.companions
            isLeftVideo = result.isLeftVideo
        }
        self.warnings = (warnings + result.warnings).map(Self.withoutAdvice)
    }

    /// Returns a warning without the advice to revert, which is possible only in a library.
    private static func withoutAdvice(_ warning: String) -> String {
        warning.hasSuffix(AssetHistory.revertAdvice)
            ? String(warning.dropLast(AssetHistory.revertAdvice.count)) : warning
    }

    /// Returns the error without the identifier of an asset, which has no meaning outside the temporary library.
    private static func withoutAsset(_ error: any Error) -> any Error {
        switch error {
        case let error as HostError:
            HostError(
                error.code, error.message, extension: error.extensionIdentifier,
                underlying: error.underlying)
        case let error as LibraryError:
            LibraryError(error.code, error.message, path: error.path, underlying: error.underlying)
        default: error
        }
    }
}

extension AppliedFile {
    /// A file that an import skipped.
    init(skipped result: ImportResult) {
        self.init(path: result.path, status: .skipped)
        error = result.error
    }
}
