// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension MetadataChanges {
    /// Returns the changes, without values that the file already contains.
    func differing(from blocks: MetadataBlocks) -> MetadataChanges {
        var remaining = self
        let existing = blocks.photoMetadata
        // The date of a movie is not stored in a picture that is one of its frames.
        if blocks.movieDate == nil {
            remaining.captureDate = captureDate.unless { $0.text == blocks.captureDate?.text }
        }
        remaining.location = location.unless { location in
            let exif = blocks.exif.flatMap(ExifFacts.init)
            return (exif?.location ?? blocks.xmp?.location)?.isNear(location) ?? false
        }
        remaining.rating = rating.unless { $0 == existing.rating }
        remaining.title = title.unless { $0 == existing.title }
        remaining.descriptionText = descriptionText.unless { $0 == existing.descriptionText }
        remaining.creator = creator.unless { $0 == existing.creator }
        remaining.copyright = copyright.unless { $0 == existing.copyright }
        remaining.label = label.unless { $0 == existing.label }
        remaining.contentIdentifier = contentIdentifier.unless { $0 == existing.contentIdentifier }
        if let keywords {
            let isUnchanged =
                Set(keywords) == Set(existing.keywords) && blocks.xmp?.hasOutdatedPaths != true
            remaining.keywords =
                isUnchanged ? nil : keywords + blocks.ignoredKeywords(besides: existing.keywords)
        }
        return remaining
    }
}

extension MetadataBlocks {
    /// Returns the keywords that the library ignored: those that are too long, and those after the first thousand. They
    /// are kept, because the user who changed the other keywords has not seen them.
    fileprivate func ignoredKeywords(besides known: [String]) -> [String] {
        let all =
            (xmp?.allItems("dc:subject") ?? [])
            + (iptc.map(IPTCRecords.init)?.keywords(limit: .max) ?? [])
        let known = Set(KeywordPath.allNames(of: known))
        var found: Set<String> = []
        return all.filter { text in
            // Plain lists may contain hierarchies, whose levels are separated by bars.
            let isKnown =
                PhotoMetadata.text(text).map { known.isSuperset(of: KeywordPath($0).names) }
                ?? text.isEmpty
            return !isKnown && found.insert(text).inserted
        }
    }
}

extension Optional {
    /// Returns the change, or `nil` if the file already contains the value.
    fileprivate func unless<Value>(
        _ isPresent: (Value) -> Bool
    ) -> Self where Wrapped == MetadataChanges.Change<Value> {
        if case .set(let value) = self, isPresent(value) { nil } else { self }
    }
}
