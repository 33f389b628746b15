// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// An error of the host, with a code to match on and a message for the user.
public struct HostError: DescribedError {
    /// The kind of failure.
    public enum Code: String, Sendable, CaseIterable {
        /// No extension has this name.
        case noSuchExtension
        /// Several extensions have this name.
        case ambiguousExtension
        /// The extension is installed but unusable: its manifest, library or ABI is invalid.
        case unusableExtension
        /// The extension does not edit this kind of asset.
        case unsupportedMediaType
        /// A parameter is unknown, of the wrong type or out of range.
        case badParameter
        /// An extension crashed, timed out, violated the protocol or reported an error.
        case extensionFailed
        /// A runner without extensions crashed, timed out or violated the protocol on this input.
        case runnerFailed
        /// A runner could not be started.
        case runnerUnavailable
        /// The system lacks a feature that the sandbox requires.
        case sandboxUnavailable
        /// The input is not a picture, or cannot be decoded completely.
        case badInput
        /// The file has a format that is never opened.
        case blockedFormat
        /// The user's configuration file is invalid.
        case badConfiguration
        /// The file does not exist.
        case noSuchFile
        /// A file could not be read or written.
        case fileFailed
        /// Another program has changed a sidecar since it was last imported.
        case sidecarChanged
        /// An application did not write a result of its edit.
        case missingRenderedContent
        /// The result that an application wrote is truncated, damaged, or not of the type of its
        /// URL.
        case invalidRenderedContent
        /// Another process is using the resource. Try again when it has finished.
        case busy
        /// The edit was cancelled.
        case cancelled
        /// The editing session has ended: it was finished or cancelled, or its runner has died.
        case sessionEnded
        /// The maximum number of editing sessions are open.
        case tooManySessions
        /// The request is invalid, for example because it refers to an edit, step or option that does not exist.
        case badRequest
        /// The state cannot be rendered, for example because an extension or a base is missing.
        case cannotRender
    }

    /// The kind of failure.
    public let code: Code
    /// A sentence without a full stop that states what happened and how to fix it.
    public let message: String
    /// The asset and the extension concerned.
    public let subjects: [ErrorSubject]
    /// The underlying error, if any. The message already includes its description.
    public let underlying: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: A sentence without a full stop that states what happened and how to fix it.
    ///   - asset: The identifier of the asset concerned.
    ///   - extension: The identifier of the extension concerned.
    ///   - underlying: The underlying error.
    public init(
        _ code: Code, _ message: String, asset: String? = nil, extension: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        subjects = [asset.map { .asset($0) }, `extension`.map { .editingExtension($0) }]
            .compactMap { $0 }
        self.underlying = underlying
    }

    /// Returns the same error with an asset, unless it has one already.
    package func naming(asset identifier: String) -> HostError {
        HostError(
            code, message, asset: assetIdentifier ?? identifier, extension: extensionIdentifier,
            underlying: underlying)
    }
}
