// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import GRDB
import Synchronization

/// An asset as seen by a survey.
package struct SurveyedAsset: Hashable, Sendable {
    /// The row id.
    package let row: Int64
    /// The local identifier.
    package let identifier: String
    /// The number of the asset's last change, or nil if a later survey found it up to date.
    package let change: Int64?
}
