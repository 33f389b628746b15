// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// One entry of an asset's undo list: the edits that lead to it from the original.
public struct AssetState: Hashable, Sendable {
    /// The position in the undo list, counted from 1.
    public let position: Int
    /// The edits in order of application; never empty.
    public let chain: [Edit]
    /// The date at which the state was committed.
    public let createdDate: Date

    /// The last edit, whose rendition is that of the state.
    public var tip: Edit? { chain.last }
}
