// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A file that the user chose for a parameter of an edit. The library stores its bytes as long as
/// the edit exists.
public struct EditFile: Hashable, Sendable {
    /// The identifier of the parameter.
    public let parameter: String
    /// The filename, without its folder.
    public let filename: String
    /// The SHA-256 hash of the bytes.
    public let hash: SHA256Digest
    /// The size in bytes.
    public let size: Int

    /// Creates a description from its properties.
    package init(parameter: String, filename: String, hash: SHA256Digest, size: Int) {
        self.parameter = parameter
        self.filename = filename
        self.hash = hash
        self.size = size
    }
}
