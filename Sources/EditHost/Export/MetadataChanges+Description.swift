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
        label = Self.change(metadata.label)
        rating = Self.change(metadata.rating)
        keywords = metadata.keywords
    }

    private static func change<Value>(_ value: Value?) -> Change<Value> {
        value.map { .set($0) } ?? .remove
    }
}
