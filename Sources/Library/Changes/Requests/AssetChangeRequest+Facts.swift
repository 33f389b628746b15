// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetChangeRequest {
    /// Facts found by decoding an original again.
    struct FoundFacts: Sendable {
        let facts: PhotoFacts
        let original: SHA256Digest
    }

    /// Replaces the stored facts of the original by new ones: size, duration, subtypes, camera and
    /// exposure. Properties that users can set are left unchanged; see
    /// ``complete(with:keywords:)``.
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

    /// Fills in missing metadata from facts: date, location, title, description, label, rating and
    /// keywords.
    ///
    /// - Parameter keywords: The existing keywords of the asset.
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    package func complete(with facts: PhotoFacts, keywords: [String]) throws {
        if captureDate == nil, let date = facts.creationDate { captureDate = date }
        if location == nil, let place = facts.location { location = place }
        guard let metadata = facts.metadata else { return }
        if title == nil, let text = metadata.title { title = text }
        if descriptionText == nil, let text = metadata.descriptionText { descriptionText = text }
        if label == nil, let text = metadata.label { label = text }
        if rating == nil, let stars = metadata.rating { rating = stars }
        if keywords.isEmpty { for keyword in metadata.keywords { try addKeyword(keyword) } }
    }
}
