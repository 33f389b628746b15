// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A file that an import has rejected because of its contents, such as a truncated picture.
package struct RejectedFile: Hashable, Sendable {
    /// The hash of its contents.
    package let hash: SHA256Digest
    /// Its filename extension in lower case, without the dot.
    package let filenameExtension: String
    /// Its size in bytes.
    package let byteCount: Int
    /// Its path, relative to the imported folder; its name if it was imported by its name.
    package let path: String
    /// The code of the error.
    package let code: String
    /// The message of the error.
    package let reason: String
    /// When it was rejected.
    package let date: Date
    /// The version of the program that rejected it.
    package let version: String

    /// The maximum number that a library remembers.
    package static let maximumCount = 100_000

    /// Creates the record of a rejected file.
    package init(
        hash: SHA256Digest, filenameExtension: String, byteCount: Int, path: String, code: String,
        reason: String, date: Date, version: String
    ) {
        self.hash = hash
        self.filenameExtension = filenameExtension
        self.byteCount = byteCount
        self.path = path
        self.code = code
        self.reason = reason
        self.date = date
        self.version = version
    }
}
