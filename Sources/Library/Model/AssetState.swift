// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// One entry of an asset's undo list: the edits that lead from the original to it.
public struct AssetState: Hashable, Sendable {
    /// Its place in the list, from 1.
    public let position: Int
    /// The edits in the order in which they are applied; never empty.
    public let chain: [Edit]
    /// When it was committed.
    public let createdDate: Date

    /// The last edit, whose rendition is the state's.
    public var tip: Edit? { chain.last }
}
