// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A named edit stack of an asset. It is kept with its rendition, regardless of later edits and
/// undos.
public struct AssetVersion: Hashable, Sendable {
    /// The name, unique within the asset.
    public let name: String
    /// The edits in order of application; never empty.
    public let chain: [Edit]
    /// The date at which the version was saved.
    public let createdDate: Date

    /// The last edit, whose rendition is that of the version.
    public var tip: Edit? { chain.last }
}
