// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// One immutable edit of an asset, with its recipe and the extension that made it. Only its stored
/// renditions may be replaced.
public struct Edit: Hashable, Sendable, Identifiable {
    /// The identifier: a lower-case UUID.
    public let identifier: String
    /// The identifier of the edit below, whose result was the input; nil for the original.
    public let parentIdentifier: String?
    /// The extension that made the edit; nil for an edit made by an application.
    public let editingExtension: EditingExtensionIdentity?
    /// The recipe of the edit.
    public let adjustmentData: AdjustmentData
    /// The files referenced by the edit's parameters.
    public let files: [EditFile]
    /// True if the extension reproduced the same pixels from the recipe. If false, the edit is not
    /// re-rendered and its stored rendition is kept, as for an application's edit.
    public let isReproducible: Bool
    /// For a Live Photo: whether the edit includes the video. An edit of the still alone removes
    /// the motion until it is undone.
    public let coversMotion: Bool
    /// True if the edit is applied. A disabled edit keeps its position and recipe.
    public internal(set) var isEnabled = true
    /// The date at which the edit was committed.
    public let createdDate: Date
    /// The stored renditions, at most one of each kind and part.
    package internal(set) var renditions: [Rendition]

    /// Returns a copy of the edit with a different enabled flag.
    package func with(isEnabled: Bool) -> Edit {
        var edit = self
        edit.isEnabled = isEnabled
        return edit
    }

    /// The identifier, for `Identifiable`.
    public var id: String { identifier }
    /// The encoded result, if stored; for a Live Photo, that of its still.
    package var current: Rendition? { renditions.first { $0.kind == .current } }
    /// The lossless result, if stored.
    package var base: Rendition? { renditions.first { $0.kind == .base } }
}
