// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ContentEditingOutput {
    /// The blobs of the output's renditions.
    var stagedBlobs: [StagedBlob] {
        (renderedContent?.blobs ?? []) + baseRenditions.values.map(\.blob)
    }
}

extension ContentEditingOutput {
    /// Whether an application may have written files for the output that are not verified yet.
    var isUnprepared: Bool { renderedContent == nil && input.files != nil }
}
