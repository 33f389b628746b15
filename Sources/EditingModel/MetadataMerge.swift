// SPDX-License-Identifier: Apache-2.0

/// A three-way merge of the library's values with those that a photo's files now state.
///
/// The base is what the files stated when they were last read. A value that the user has set or removed since differs
/// from the base, and is kept. Keywords are merged one by one, so they never conflict.
package struct MetadataMerge: Hashable, Sendable {
    /// The values to store in the library.
    package private(set) var values: DescriptiveMetadata
    /// The base of the next merge. It keeps the last value that the files stated, even if they state none now.
    package private(set) var base: DescriptiveMetadata
    /// The library's values that differ from those in the files.
    package private(set) var kept: [KeptMetadataValue] = []
    private let restoresMissing: Bool
    private let losesKeywords: Bool
    private let removed: Set<KeptMetadataValue.Field>

    /// Merges values. One that is no longer stated is kept.
    ///
    /// - Parameters:
    ///   - own: The library's values.
    ///   - base: The values that were last taken from the files.
    ///   - stated: The values in the files.
    ///   - restoresMissing: Whether to take a stated value if the library has none, even if the user removed it.
    ///   - losesKeywords: Whether to remove the keywords of the base if the files state none. If not, they are kept.
    ///   - keepsValues: Whether to determine only the base of the next merge, because the library's values were just
    ///     written to the files.
    ///   - removed: The values whose removal by the user is recorded. They are not taken from the files, not even if
    ///     the base has none.
    package init(
        _ own: DescriptiveMetadata, base: DescriptiveMetadata, stated: DescriptiveMetadata,
        restoresMissing: Bool, losesKeywords: Bool = false,
        keepsValues: Bool = false, removed: Set<KeptMetadataValue.Field> = []
    ) {
        (values, self.base, self.restoresMissing) = (own, base, restoresMissing)
        (self.losesKeywords, self.removed) = (losesKeywords, removed)
        // Libraries store dates with a precision of one millisecond.
        merge(.date, \.captureDate, stated.captureDate, \.text)
        merge(.location, \.location, stated.location, KeptMetadataValue.text)
        merge(.title, \.title, stated.title, \.self)
        merge(.description, \.descriptionText, stated.descriptionText, \.self)
        merge(.creator, \.creator, stated.creator, \.self)
        merge(.copyright, \.copyright, stated.copyright, \.self)
        merge(.label, \.label, stated.label, \.self)
        merge(.rating, \.rating, stated.rating, \.description)
        mergeKeywords(stated.keywords)
        if keepsValues {
            // A creator that earlier versions did not read is part of the files that were written.
            let (creator, copyright) = (values.creator, values.copyright)
            (values, kept) = (own, [])
            (values.creator, values.copyright) = (creator, copyright)
        }
    }

    private mutating func merge<Value>(
        _ field: KeptMetadataValue.Field, _ path: WritableKeyPath<DescriptiveMetadata, Value?>,
        _ stated: Value?, _ text: (Value) -> String
    ) {
        guard let stated else { return }
        let new = text(stated)
        let (own, old) = (values[keyPath: path].map(text), base[keyPath: path].map(text))
        base[keyPath: path] = stated
        if own == new { return }
        let isRemoved = removed.contains(field)
        if !isRemoved && (new != old && own == old || own == nil && restoresMissing) {
            values[keyPath: path] = stated
        } else if new != old {
            kept.append(KeptMetadataValue(field, own, stated: new))
        }
    }

    private mutating func mergeKeywords(_ stated: [String]) {
        if stated.isEmpty, !losesKeywords { return }
        let (old, new) = (Set(base.keywords), Set(stated))
        base.keywords = stated
        let isRestored = values.keywords.isEmpty && restoresMissing
        values.keywords.removeAll { old.contains($0) && !new.contains($0) }
        let known = Set(values.keywords)
        let added = stated.filter { !known.contains($0) && (isRestored || !old.contains($0)) }
        let space = max(0, PhotoMetadata.maximumKeywords - values.keywords.count)
        values.keywords += added.prefix(space)
    }
}
