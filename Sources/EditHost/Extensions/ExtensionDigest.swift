// SPDX-License-Identifier: Apache-2.0

import Hashing
import EditingModel
import Foundation

/// What an extension is known by where it is trusted, quarantined or its answers are remembered: all
/// that it consists of, the manifest, the library and the files that the manifest names.
///
/// The digest is the SHA-256 of a text of lines, which `Scripts/extension-digest` writes too:
///
///     edithost extension 1
///     manifest HASH
///     library HASH
///     file HASH            for each of the manifest's `hashedFiles`, in their order
///
/// See docs/design/decisions/0018-extension-digests.md.
enum ExtensionDigest {
    /// The digest of an extension with these SHA-256 hashes.
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
