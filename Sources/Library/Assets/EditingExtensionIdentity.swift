// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The exact build of an extension that made an edit.
public struct EditingExtensionIdentity: Codable, Hashable, Sendable {
    /// The extension's identifier, in reverse-DNS notation.
    public let identifier: String
    /// The extension's version.
    public let version: String
    /// The hash of the extension's shared library.
    public let binaryHash: SHA256Digest
    /// The combined hash of the additional files declared in the manifest; nil if there are none.
    public let hashedFilesHash: SHA256Digest?

    /// Creates an identity from its properties.
    package init(
        identifier: String, version: String, binaryHash: SHA256Digest,
        hashedFilesHash: SHA256Digest? = nil
    ) {
        self.identifier = identifier
        self.version = version
        self.binaryHash = binaryHash
        self.hashedFilesHash = hashedFilesHash
    }
}
