// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Exactly which build of an extension made an edit.
public struct EditingExtensionIdentity: Codable, Hashable, Sendable {
    /// The extension's identifier, in reverse DNS.
    public let identifier: String
    /// Its version.
    public let version: String
    /// The hash of its shared library.
    public let binaryHash: SHA256Digest
    /// The hash over the further files that its manifest declares; nil where it declares none.
    public let hashedFilesHash: SHA256Digest?

    /// Makes an identity; every argument is the property of its name.
    public init(
        identifier: String, version: String, binaryHash: SHA256Digest,
        hashedFilesHash: SHA256Digest? = nil
    ) {
        self.identifier = identifier
        self.version = version
        self.binaryHash = binaryHash
        self.hashedFilesHash = hashedFilesHash
    }
}
