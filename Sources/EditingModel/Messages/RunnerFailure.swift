// SPDX-License-Identifier: Apache-2.0

/// Why a request could not be carried out.
public struct RunnerFailure: Error, Codable, Hashable, Sendable {
    /// What kind of failure it is.
    public enum Code: String, Codable, Sendable {
        /// The input is not a picture that can be decoded whole.
        case badInput
        /// The input's format is not one that is opened.
        case blockedFormat
        /// The input is too large for the limits.
        case tooLarge
        /// The extension's library cannot be loaded or is not what its manifest says.
        case badExtension
        /// The extension returned an error, or something unusable.
        case extensionFailed
        /// The extension cannot continue the recipe that it was given to run again.
        case cannotHandle
        /// A parameter's value was refused by the extension.
        case badParameter
        /// The edit was cancelled.
        case cancelled
        /// The output could not be written.
        case outputFailed
        /// The request does not fit: no session is open, a descriptor is missing.
        case badRequest
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened, in words, from libvips or the extension.
    public var message: String
    /// The extension concerned.
    public var extensionIdentifier: String?

    /// Makes a failure.
    public init(code: Code, message: String, extensionIdentifier: String? = nil) {
        self.code = code
        self.message = message
        self.extensionIdentifier = extensionIdentifier
    }
}
