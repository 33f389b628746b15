// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The metadata read again from an asset's original and its sidecars.
package struct RereadMetadata: Sendable {
    /// A sidecar to store, with the name that it has in the library.
    package struct NewSidecar: Sendable {
        package let filename: String
        package let blob: StagedBlob

        package init(filename: String, blob: StagedBlob) {
            (self.filename, self.blob) = (filename, blob)
        }
    }

    /// The facts of the original's file.
    let facts: PhotoFacts
    /// The hash of the original that was read.
    let original: SHA256Digest
    /// The values that the original and its sidecars state together. Nil if a stored sidecar cannot
    /// be read, so that no value is changed.
    let stated: DescriptiveMetadata?
    /// The values in the sidecars stored so far. Earlier versions of the library stored some of
    /// them without remembering their values.
    let before: DescriptiveMetadata
    /// The sidecars stored so far.
    let storedSidecars: [AssetResource]
    /// The sidecars to store.
    let newSidecars: [NewSidecar]
    /// Whether to restore values that the user removed.
    let restoresMissing: Bool
    /// Whether to keep the library's values, which were just written to a sidecar.
    let keepsValues: Bool

    package init(
        _ facts: PhotoFacts, original: SHA256Digest, stated: DescriptiveMetadata?,
        before: DescriptiveMetadata, storedSidecars: [AssetResource], newSidecars: [NewSidecar],
        restoresMissing: Bool, keepsValues: Bool = false
    ) {
        self.facts = facts
        self.original = original
        self.stated = stated
        self.before = before
        self.storedSidecars = storedSidecars
        self.newSidecars = newSidecars
        self.restoresMissing = restoresMissing
        self.keepsValues = keepsValues
    }
}
