// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension MetadataChanges {
    /// Returns the changes, without values that the file already contains.
    func differing(from blocks: MetadataBlocks) -> MetadataChanges {
        var left = self
        let said = blocks.photoMetadata
        // The date of a movie is not stored in a picture that is one of its frames.
        if blocks.movieDate == nil {
            left.captureDate = captureDate.unless { $0.text == blocks.captureDate?.text }
        }
        left.location = location.unless { place in
            let exif = blocks.exif.flatMap(ExifFacts.init)
            return (exif?.location ?? blocks.xmp?.location)?.isNear(place) ?? false
        }
        left.rating = rating.unless { $0 == said.rating }
        left.title = title.unless { $0 == said.title }
        left.descriptionText = descriptionText.unless { $0 == said.descriptionText }
        left.label = label.unless { $0 == said.label }
        left.contentIdentifier = contentIdentifier.unless { $0 == said.contentIdentifier }
        if let keywords {
            let isSaid = Set(keywords) == Set(said.keywords)
            left.keywords = isSaid ? nil : keywords + blocks.keywords(beside: said.keywords)
        }
        return left
    }
}

extension MetadataBlocks {
    /// Returns the keywords that the library ignored: those that are too long, and those after the first thousand. They
    /// are kept, because the user who changed the other keywords has not seen them.
    fileprivate func keywords(beside known: [String]) -> [String] {
        let all =
            (xmp?.allItems("dc:subject") ?? [])
            + (iptc.map(IPTCRecords.init)?.keywords(limit: .max) ?? [])
        let known = Set(known)
        var found: Set<String> = []
        return all.filter { text in
            let isKnown = PhotoMetadata.text(text).map(known.contains) ?? text.isEmpty
            return !isKnown && found.insert(text).inserted
        }
    }
}

extension Optional {
    /// Returns the change, or `nil` if the file already contains the value.
    fileprivate func unless<Value>(
        _ isSaid: (Value) -> Bool
    ) -> Self where Wrapped == MetadataChanges.Change<Value> {
        if case .set(let value) = self, isSaid(value) { nil } else { self }
    }
}
