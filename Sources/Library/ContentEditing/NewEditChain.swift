// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A chain of edits that an asset is to have in place of the one that it has, rendered: edits of another asset, or its
/// own in another order, or without some of them.
package struct NewEditChain: Sendable {
    /// An edit of the chain that is made.
    package struct Step: Sendable {
        /// The build that drew it; nil for an edit that an application made itself.
        package let editingExtension: EditingExtensionIdentity?
        /// The recipe.
        package let adjustmentData: AdjustmentData
        /// Whether the picture can be made again from the recipe by the extension.
        package let isReproducible: Bool
        /// Whether it is applied.
        package let isEnabled: Bool
        /// The files that the edit's parameters name.
        package let files: [StagedEditFile]

        /// Makes a step; every argument is the property of its name.
        package init(
            _ editingExtension: EditingExtensionIdentity?, _ adjustmentData: AdjustmentData,
            isReproducible: Bool = true, isEnabled: Bool = true,
            files: [StagedEditFile] = []
        ) {
            self.editingExtension = editingExtension
            self.adjustmentData = adjustmentData
            self.isReproducible = isReproducible
            self.isEnabled = isEnabled
            self.files = files
        }
    }

    /// The asset's history when the chain was rendered.
    package let history: AssetHistory
    /// How many edits of the asset's chain stay at its beginning.
    package let keptCount: Int
    /// The edits above them, lowest first.
    package let steps: [Step]
    /// The result of the whole chain; nil, where nothing comes above the edits that stay: that of the last of them.
    package let renderedContent: RenderedContent?
    /// Lossless results to be kept, by the place in the chain of the edit whose result they are, counted from 1.
    package let baseRenditions: [Int: RenderedContent]

    /// Makes a chain; every argument is the property of its name.
    package init(
        history: AssetHistory, keptCount: Int, steps: [Step], renderedContent: RenderedContent?,
        baseRenditions: [Int: RenderedContent] = [:]
    ) {
        self.history = history
        self.keptCount = keptCount
        self.steps = steps
        self.renderedContent = renderedContent
        self.baseRenditions = baseRenditions
    }

    /// The last of the edits that stay.
    var lastKept: Edit? {
        keptCount > 0 && keptCount <= history.chain.count ? history.chain[keptCount - 1] : nil
    }

    /// The files that it stores.
    var stagedBlobs: [StagedBlob] {
        (renderedContent?.blobs ?? []) + baseRenditions.values.map(\.blob)
            + steps.flatMap(\.files).compactMap(\.blob)
    }
}
