// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The outcome of merging metadata that was read again with that of the library.
package struct MergedMetadata: Sendable {
    /// The library's values before the merge.
    let own: DescriptiveMetadata
    let merge: MetadataMerge
    /// The facts to store; nil if they are unchanged.
    let facts: AssetChangeRequest.FoundFacts?
    /// Whether the file's own facts have changed, such as its size or camera.
    let changesFile: Bool

    /// Whether the merge changed a property of the asset.
    package var isUpdate: Bool { merge.values != own || changesFile }

    /// The library's values that differ from those in the files.
    package var kept: [KeptMetadataValue] { merge.kept }
}
