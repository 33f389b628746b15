// SPDX-License-Identifier: Apache-2.0

import Hashing
import EditingModel
import Foundation

/// The digest by which an extension is trusted, quarantined and cached. It covers the manifest, the library and
/// the manifest's `hashedFiles`.
///
/// The digest is the SHA-256 of these lines, which `Scripts/extension-digest` produces too:
///
///     edithost extension 1
///     manifest HASH
///     library HASH
///     file HASH            for each of the manifest's `hashedFiles`, in their order
///
/// See docs/design/decisions/0018-extension-digests.md.
enum ExtensionDigest {
    /// Returns the digest of an extension from the SHA-256 hashes of its parts.
    static func of(
        manifest: SHA256Digest, library: SHA256Digest, files: [SHA256Digest]
    ) -> SHA256Digest {
        let lines =
            ["edithost extension 1", "manifest \(manifest.hex)", "library \(library.hex)"]
            + files.map { "file \($0.hex)" }
        let text = lines.map { "\($0)\n" }.joined()
        return SHA256Digest(bytes: SHA256.hash(data: Data(text.utf8)))
    }
}
