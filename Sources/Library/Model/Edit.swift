// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// One step of an asset's edits: who did what to which input. It never changes; only its
/// renditions may be replaced by equal or newer ones.
public struct Edit: Hashable, Sendable, Identifiable {
    /// The identifier, a lower-case UUID.
    public let identifier: String
    /// The edit whose result was the input; nil where the original was.
    public let parentIdentifier: String?
    /// The extension that made it; nil for an edit that an application made itself.
    public let editingExtension: EditingExtensionIdentity?
    /// The recipe.
    public let adjustmentData: AdjustmentData
    /// When it was committed.
    public let createdDate: Date
    /// What is stored of its result, at most one of each kind.
    public let renditions: [Rendition]

    /// The identifier again, for `Identifiable`.
    public var id: String { identifier }
    /// The encoded result, if it is stored.
    public var current: Rendition? { renditions.first { $0.kind == .current } }
    /// The lossless result, if it is stored.
    public var base: Rendition? { renditions.first { $0.kind == .base } }
}
