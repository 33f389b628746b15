// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetChangeRequest {
    /// Facts found by decoding an original again.
    struct FoundFacts: Sendable {
        let facts: PhotoFacts
        let original: SHA256Digest
    }

    /// Replaces the stored facts of the original by new ones: size, duration, subtypes, camera and
    /// exposure. Properties that users can set are left unchanged.
    ///
    /// - Parameter original: The hash of the original that was decoded. `performChanges` throws
    ///   `conflict` if the asset has a different one.
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    package func setFacts(_ facts: PhotoFacts, of original: SHA256Digest) {
        set { $0.facts = FoundFacts(facts: facts, original: original) }
    }

    /// Stores the facts of a Live Photo's video that had none.
    ///
    /// - Parameter video: The hash of the video that was decoded. `performChanges` throws
    ///   `conflict` if the asset has a different one.
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    package func setMotionFacts(_ facts: PhotoFacts, of video: SHA256Digest) {
        set { $0.motionFacts = FoundFacts(facts: facts, original: video) }
    }

    /// Merges the metadata read again from the asset's files with the library's; see
    /// ``MetadataMerge``. New sidecars replace those of the same filenames.
    ///
    /// - Throws: `performChanges` throws `conflict` if the asset has a different original or other
    ///   sidecars than those that were read.
    package func merge(_ metadata: RereadMetadata) { set { $0.metadata = metadata } }

    /// The outcome of ``merge(_:)``; nil until the transaction has committed.
    package var committedMerge: MergedMetadata? {
        state.withLock { $0.isCommitted ? $0.merged : nil }
    }
}
