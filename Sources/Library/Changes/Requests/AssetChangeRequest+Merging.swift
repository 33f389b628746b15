// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetChangeRequest.State {
    /// Requests the changes that a merge makes.
    mutating func take(_ merged: MergedMetadata) {
        self.merged = merged
        let (own, values) = (merged.own, merged.merge.values)
        if values.captureDate != own.captureDate { captureDate = .some(values.captureDate) }
        if values.location != own.location { location = .some(values.location) }
        if values.title != own.title { texts.title = .some(values.title) }
        if values.descriptionText != own.descriptionText {
            texts.descriptionText = .some(values.descriptionText)
        }
        if values.creator != own.creator { texts.creator = .some(values.creator) }
        if values.copyright != own.copyright { texts.copyright = .some(values.copyright) }
        if values.label != own.label { texts.label = .some(values.label) }
        if values.rating != own.rating { texts.rating = .some(values.rating) }
        let (before, now) = (Set(own.keywords), Set(values.keywords))
        let change = AssetChangeRequest.KeywordChange.replace(
            removed: own.keywords.filter { !now.contains($0) },
            added: values.keywords.filter { !before.contains($0) })
        if before != now { keywordChanges.append(change) }
        facts = merged.facts
    }
}
