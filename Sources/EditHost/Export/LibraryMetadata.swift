// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// The library's metadata of a photo, for the files exported from it.
struct LibraryMetadata {
    /// The values to write over those of the original. A value that the library neither has nor read from the
    /// original is left unchanged.
    let changes: MetadataChanges
    /// Whether the original's file already had all these values when it was imported.
    let isInFile: Bool

    init(_ history: AssetHistory, in library: PhotoLibrary) throws {
        self.init(
            history, keywords: try library.keywords(ofAsset: history.asset.localIdentifier))
    }

    private init(_ history: AssetHistory, keywords: [String]) {
        let (asset, facts) = (history.asset, history.original?.facts)
        let said = facts?.metadata
        var changes = MetadataChanges()
        var known = MetadataChanges()
        changes.captureDate = .init(asset.captureDate, before: facts?.creationDate)
        known.captureDate = facts?.creationDate.map { .set($0) }
        changes.location = .init(asset.location, before: facts?.location)
        known.location = facts?.location.map { .set($0) }
        changes.rating = .init(asset.rating, before: said?.rating)
        known.rating = said?.rating.map { .set($0) }
        let before = said?.keywords ?? []
        changes.keywords = keywords.isEmpty && before.isEmpty ? nil : keywords
        changes.title = .init(asset.title, before: said?.title)
        known.title = said?.title.map { .set($0) }
        changes.descriptionText = .init(asset.descriptionText, before: said?.descriptionText)
        known.descriptionText = said?.descriptionText.map { .set($0) }
        let removed = asset.removedTexts
        changes.creator = .init(asset.creator, before: said?.creator)
        if removed.contains(.creator) { changes.creator = .remove }
        known.creator = said?.creator.map { .set($0) }
        changes.copyright = .init(asset.copyright, before: said?.copyright)
        if removed.contains(.copyright) { changes.copyright = .remove }
        known.copyright = said?.copyright.map { .set($0) }
        changes.label = .init(asset.label, before: said?.label)
        known.label = said?.label.map { .set($0) }
        self.changes = changes
        // Values read from a sidecar are not in the original's file.
        let hasSidecar = history.originals.contains { $0.type == .metadataSidecar }
        isInFile =
            changes.isEmpty
            || !hasSidecar && changes.isSame(as: known) && Set(keywords) == Set(before)
    }
}

extension MetadataChanges {
    /// Whether all values except for the keywords are equal.
    fileprivate func isSame(as known: MetadataChanges) -> Bool {
        var (own, known) = (self, known)
        (own.keywords, known.keywords) = (nil, nil)
        // Libraries store dates with a precision of one millisecond.
        if case .set(let date) = own.captureDate, case .set(let other) = known.captureDate,
            date.text == other.text
        {
            (own.captureDate, known.captureDate) = (nil, nil)
        }
        return own == known
    }
}

extension MetadataChanges.Change {
    /// Creates a change from a value to write; nil if neither has a value.
    ///
    /// - Parameters:
    ///   - value: The library's value.
    ///   - before: The value read from the original.
    fileprivate init?(_ value: Value?, before: Value?) {
        if let value {
            self = .set(value)
        } else if before != nil {
            self = .remove
        } else {
            return nil
        }
    }
}
