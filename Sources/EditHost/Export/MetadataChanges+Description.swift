// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension MetadataChanges {
    /// Creates changes that set all values, and remove those that are missing.
    init(_ metadata: DescriptiveMetadata) {
        self.init()
        captureDate = Self.change(metadata.captureDate)
        location = Self.change(metadata.location)
        title = Self.change(metadata.title)
        descriptionText = Self.change(metadata.descriptionText)
        creator = Self.change(metadata.creator)
        copyright = Self.change(metadata.copyright)
        label = Self.change(metadata.label)
        rating = Self.change(metadata.rating)
        keywords = metadata.keywords
    }

    /// Creates changes likewise. A creator or copyright that has never been read, as in libraries of earlier versions,
    /// is removed only if the user has removed it.
    ///
    /// - Parameters:
    ///   - facts: What was last read from the files.
    ///   - removed: What the user has removed in the library.
    init(
        _ metadata: DescriptiveMetadata, readFrom facts: PhotoFacts?,
        removed: Set<KeptMetadataValue.Field> = []
    ) {
        self.init(metadata)
        let unread = metadata.unread(in: facts, removed: removed)
        if unread.contains(.creator) { creator = nil }
        if unread.contains(.copyright) { copyright = nil }
    }

    private static func change<Value>(_ value: Value?) -> Change<Value> {
        value.map { .set($0) } ?? .remove
    }
}
