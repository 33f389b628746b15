// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetChangeRequest {
    /// The new state of a referenced original.
    struct NewReference: Sendable {
        let reference: FileReference
        let original: SHA256Digest
    }

    /// Accepts a referenced original in which a program changed metadata but no pixels.
    ///
    /// - Parameters:
    ///   - reference: The file as it is now.
    ///   - original: The hash that the library knows. `performChanges` throws `conflict` if the
    ///     asset has another original, or if another asset has the new bytes.
    package func replaceReference(
        with reference: FileReference, of original: SHA256Digest
    ) {
        set { $0.newReference = NewReference(reference: reference, original: original) }
    }

    /// Adds a staged companion; see ``addResource(_:reference:filename:)``.
    package func addResource(
        _ type: AssetResourceType, blob: StagedBlob, filename: String, facts: PhotoFacts? = nil
    ) throws {
        try add(NewResource(type, blob: blob, filename: filename, facts: facts))
    }

    /// Adds a referenced companion with its facts.
    package func addResource(
        _ type: AssetResourceType, reference: FileReference, filename: String, facts: PhotoFacts?
    ) throws {
        try add(NewResource(type, reference: reference, filename: filename, facts: facts))
    }

    /// Adds a referenced companion: the RAW of a JPEG, the video of a Live Photo, a sidecar. A
    /// no-op if the asset already has a companion of this type with the same bytes.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func addResource(
        _ type: AssetResourceType, reference: FileReference, filename: String
    ) throws {
        try add(NewResource(type, reference: reference, filename: filename, facts: nil))
    }
}
