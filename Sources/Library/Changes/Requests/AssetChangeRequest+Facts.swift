// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetChangeRequest {
    /// Facts of an original, found anew.
    struct FoundFacts: Sendable {
        let facts: PhotoFacts
        let original: SHA256Digest
    }

    /// Asks for what decoding tells of the original now to take the place of what is stored of it: size, length,
    /// kinds, camera and exposure. What users can set is left as it is; see ``complete(with:keywords:)``.
    ///
    /// - Parameter original: The original that was decoded; `performChanges` throws `conflict` where the asset has
    ///   another one.
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    package func setFacts(_ facts: PhotoFacts, of original: SHA256Digest) {
        set { $0.facts = FoundFacts(facts: facts, original: original) }
    }

    /// Asks for what decoding tells of a Live Photo's video to be stored, of which nothing was known.
    ///
    /// - Parameter video: The video that was decoded; `performChanges` throws `conflict` where the asset has another one.
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    package func setMotionFacts(_ facts: PhotoFacts, of video: SHA256Digest) {
        set { $0.motionFacts = FoundFacts(facts: facts, original: video) }
    }

    /// Sets what is not known of the asset yet and what facts tell: date, position, title, description, label,
    /// rating and keywords.
    ///
    /// - Parameter keywords: Those that it has.
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
