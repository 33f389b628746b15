// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The reason why a request failed.
package struct RunnerFailure: DescribedError, Codable, Hashable {
    /// The kind of a failure.
    package enum Code: String, Codable, Sendable {
        /// The input is not a picture that can be decoded completely.
        case badInput
        /// The input's format is not allowed.
        case blockedFormat
        /// The input exceeds the size limits.
        case tooLarge
        /// The extension's library cannot be loaded, or does not match its manifest.
        case badExtension
        /// The extension returned an error, or an invalid result.
        case extensionFailed
        /// The extension cannot continue the recipe to be re-rendered.
        case cannotHandle
        /// The extension rejected a parameter's value.
        case badParameter
        /// The edit was cancelled.
        case cancelled
        /// The output could not be written.
        case outputFailed
        /// The storage for the output is full.
        case diskFull
        /// There is no encoder for the output format.
        case unwritableFormat
        /// The request is invalid: no session is open, or a descriptor is missing.
        case badRequest
        /// The identifier of a Live Photo cannot be stored, because it would replace another maker note.
        case otherMakerNote
    }

    /// The kind of the failure.
    package var code: Code
    /// A description from libvips or the extension.
    package var message: String
    /// The identifier of the extension that failed, if any.
    package var extensionIdentifier: String?

    /// The extension that failed, if any.
    package var subjects: [ErrorSubject] {
        extensionIdentifier.map { [.editingExtension($0)] } ?? []
    }

    /// Creates a failure from its properties.
    package init(code: Code, message: String, extensionIdentifier: String? = nil) {
        self.code = code
        self.message = message
        self.extensionIdentifier = extensionIdentifier
    }
}
