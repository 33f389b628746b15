// SPDX-License-Identifier: Apache-2.0

/// A batch of assets, divided by what decides whether their renditions are up to date.
package struct RenditionRecords: Sendable {
    /// The row IDs and local identifiers of the assets whose current version is the original.
    package let unedited: [(row: Int64, identifier: String)]
    /// The photos that are rendered from a stored original by recipes alone. Videos, Live Photos,
    /// edits with files and lossless results are omitted: their histories must be read.
    package let edited: [RenditionRecord]
}
