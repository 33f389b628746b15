// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A record about a build of an extension, other than its failures.
struct ExtensionRecord: Codable, Hashable, Sendable {
    /// The kind of record.
    enum Kind: String, Codable, Sendable {
        /// The user trusts the build.
        case trusted
        /// The build may read originals, although it is untrusted.
        case readsOriginals
        /// The build rendered its first edit identically from the recipe.
        case reproducing
        /// The build did not render its first edit identically from the recipe.
        case notReproducing
    }

    let kind: Kind
    /// The digest of the build, ``ExtensionBinary/digest``.
    @HexDigest var digest: SHA256Digest
    /// The identifier of the extension.
    let identifier: String
    /// The publisher whose signature the build is trusted for; nil if the user trusts the build itself.
    var publisher: PublisherKey?
}
