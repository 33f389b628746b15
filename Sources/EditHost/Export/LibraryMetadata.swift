// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// What a library says of a photograph, for the files that are made of it.
struct LibraryMetadata {
    /// What a file has to say in place of what the original says. What the library does not say, and did
    /// not read of the original either, stays what it is there.
    let changes: MetadataChanges
    /// Whether the original's file says all of that itself, as it was read at its import.
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
        changes.label = .init(asset.label, before: said?.label)
        known.label = said?.label.map { .set($0) }
        self.changes = changes
        // What was read of a sidecar stands in no picture.
        let hasSidecar = history.originals.contains { $0.type == .metadataSidecar }
        isInFile =
            changes.isEmpty
            || !hasSidecar && changes.isSame(as: known) && Set(keywords) == Set(before)
    }
}

extension MetadataChanges {
    /// Whether all but the keywords is the same.
    fileprivate func isSame(as known: MetadataChanges) -> Bool {
        var (own, known) = (self, known)
        (own.keywords, known.keywords) = (nil, nil)
        // Libraries keep dates to the millisecond.
        if case .set(let date) = own.captureDate, case .set(let other) = known.captureDate,
            date.text == other.text
        {
            (own.captureDate, known.captureDate) = (nil, nil)
        }
        return own == known
    }
}

extension MetadataChanges.Change {
    /// - Parameters:
    ///   - value: What the library says.
    ///   - before: What was read of the original.
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
