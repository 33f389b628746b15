// SPDX-License-Identifier: Apache-2.0

/// The purpose of reading a stored or referenced file, which decides how strictly its content is
/// verified.
package enum ReadingPurpose: Hashable, Sendable {
    /// An image that is displayed and discarded, or content that the caller hashes. Nothing is
    /// verified.
    case preview
    /// A rendition that the library keeps. A stored file is hashed first, once per process; for a
    /// referenced file, size and modification time are compared.
    case rendering
    /// Content that leaves the library. A referenced file is hashed as well.
    case copying
}
