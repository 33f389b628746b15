// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Why the host could not do something.
public struct HostError: DescribedError {
    /// What kind of failure it is.
    public enum Code: String, Sendable {
        /// No extension has this name.
        case noSuchExtension
        /// Several extensions have this name.
        case ambiguousExtension
        /// The extension is there but cannot be used: its manifest, library or ABI is wrong.
        case unusableExtension
        /// The extension does not edit this kind of asset.
        case unsupportedMediaType
        /// A parameter is unknown, of the wrong type or out of range.
        case badParameter
        /// An extension crashed, hung, broke the protocol or reported an error.
        case extensionFailed
        /// A plug-in-free runner crashed, hung or broke the protocol on this input.
        case runnerFailed
        /// A runner could not be started.
        case runnerUnavailable
        /// The system does not offer what the sandbox of a runner is made of.
        case sandboxUnavailable
        /// The input is not a picture that can be decoded whole.
        case badInput
        /// The file is of a kind that is not opened.
        case blockedFormat
        /// The user's configuration file cannot be understood.
        case badConfiguration
        /// There is no such file.
        case noSuchFile
        /// A file could not be read or written.
        case fileFailed
        /// An application wrote no file as the result of its edit.
        case missingRenderedContent
        /// What an application wrote as the result of its edit is not a whole picture of the type
        /// that the file is for.
        case invalidRenderedContent
        /// Somebody else is at it; try again when they have done.
        case busy
        /// The edit was cancelled.
        case cancelled
        /// The editing session has ended: it was finished or cancelled, or its runner is gone.
        case sessionEnded
        /// As many editing sessions are open as the host allows.
        case tooManySessions
        /// The call does not make sense: an edit, step or option that is not there.
        case badRequest
        /// The state cannot be rendered: an extension or a base is missing.
        case cannotRender
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened and what to do, in a sentence without a full stop.
    public let message: String
    /// The asset and the extension concerned.
    public let subjects: [ErrorSubject]
    /// What failed beneath; the message says it in words.
    public let underlying: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: what kind of failure it is.
    ///   - message: what happened and what to do, in a sentence without a full stop.
    ///   - asset: the identifier of the asset concerned.
    ///   - extension: the identifier of the extension concerned.
    ///   - underlying: what failed beneath.
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

    /// The same error, with the asset it concerns, where it had none.
    func naming(asset identifier: String) -> HostError {
        HostError(
            code, message, asset: assetIdentifier ?? identifier, extension: extensionIdentifier,
            underlying: underlying)
    }
}
