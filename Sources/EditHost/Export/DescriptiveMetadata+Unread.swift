// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension DescriptiveMetadata {
    /// Returns which of creator and copyright are missing because they have never been read.
    ///
    /// - Parameters:
    ///   - facts: What was last read from the files.
    ///   - removed: What the user has removed in the library.
    func unread(
        in facts: PhotoFacts?, removed: Set<KeptMetadataValue.Field>
    ) -> Set<KeptMetadataValue.Field> {
        var unread: Set<KeptMetadataValue.Field> = []
        if creator == nil, facts?.metadata?.creator == nil { unread.insert(.creator) }
        if copyright == nil, facts?.metadata?.copyright == nil { unread.insert(.copyright) }
        return unread.subtracting(removed)
    }
}
