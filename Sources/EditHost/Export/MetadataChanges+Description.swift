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

    /// Creates changes likewise. A creator or copyright is not removed if it has never been read, as in libraries of
    /// earlier versions.
    ///
    /// - Parameter facts: What was last read from the files.
    init(_ metadata: DescriptiveMetadata, readFrom facts: PhotoFacts?) {
        self.init(metadata)
        if metadata.creator == nil, facts?.metadata?.creator == nil { creator = nil }
        if metadata.copyright == nil, facts?.metadata?.copyright == nil { copyright = nil }
    }

    private static func change<Value>(_ value: Value?) -> Change<Value> {
        value.map { .set($0) } ?? .remove
    }
}
