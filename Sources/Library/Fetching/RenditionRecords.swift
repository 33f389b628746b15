// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A batch of assets divided by what a survey has to do with them.
package struct RenditionRecords: Sendable {
    /// The stamp of the stored survey at the time of reading.
    package let stamp: Int64?
    /// The assets that an earlier survey found up to date, and whether they have edits. They are in
    /// neither of the other lists.
    package let upToDate: [(asset: SurveyedAsset, isEdited: Bool)]
    /// The assets whose current version is the original.
    package let unedited: [SurveyedAsset]
    /// The photos that are rendered from a stored original by recipes alone. Videos, Live Photos,
    /// edits with files and lossless results are omitted: their histories must be read.
    package let edited: [RenditionRecord]
}
