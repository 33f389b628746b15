// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// A rendered edit stack that replaces the current one of an asset: edits that are kept at its
/// bottom, and new ones above them.
package struct NewEditChain: Sendable {
    /// A new edit in the stack.
    package struct Step: Sendable {
        /// The extension build that rendered the edit; nil for an edit made by an application.
        package let editingExtension: EditingExtensionIdentity?
        /// The recipe of the edit.
        package let adjustmentData: AdjustmentData
        /// True if the extension can reproduce the pixels from the recipe.
        package var isReproducible: Bool
        /// True if the edit is applied.
        package let isEnabled: Bool
        /// The files referenced by the edit's parameters.
        package let files: [StagedEditFile]

        /// Creates a step from its properties.
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

        /// Creates a step for an edit that is copied.
        ///
        /// - Parameter editingExtension: The extension build that renders the edit.
        package init(_ edit: Edit, _ editingExtension: EditingExtensionIdentity?) {
            self.init(
                editingExtension, edit.adjustmentData, isReproducible: edit.isReproducible,
                isEnabled: edit.isEnabled, files: edit.files.map { StagedEditFile($0) })
        }
    }

    /// The identifier of the asset.
    let assetIdentifier: String
    /// The asset's content generation when the stack was rendered.
    let generation: Int
    /// The position of the asset's state when the stack was rendered.
    let position: Int
    /// The last of the kept edits, by its identifier and the format of its recipe; nil if none is
    /// kept.
    let lastKept: (edit: String, format: String)?
    /// The number of edits kept at the bottom of the asset's stack.
    package let keptCount: Int
    /// The new edits above the kept ones, lowest first.
    package let steps: [Step]
    /// The result of the whole stack; nil if there are no new edits, so that the result is that of
    /// the last kept edit.
    package let renderedContent: RenderedContent?
    /// Lossless renditions to store, keyed by the position of their edit in the stack, counted from
    /// 1.
    package let baseRenditions: [Int: RenderedContent]

    /// Creates a stack from its properties.
    ///
    /// - Parameter history: The asset's history when the stack was rendered.
    package init(
        history: AssetHistory, keptCount: Int, steps: [Step], renderedContent: RenderedContent?,
        baseRenditions: [Int: RenderedContent] = [:]
    ) {
        assetIdentifier = history.asset.localIdentifier
        generation = history.asset.generation
        position = history.position
        let chain = history.chain
        let kept = keptCount <= chain.count ? chain.prefix(keptCount).last : nil
        lastKept = kept.map { ($0.identifier, $0.adjustmentData.formatIdentifier) }
        self.keptCount = keptCount
        self.steps = steps
        self.renderedContent = renderedContent
        self.baseRenditions = baseRenditions
    }

    /// Creates the stack with an application's edit, and copies of the edits above it.
    init(
        _ output: ContentEditingOutput, _ adjustmentData: AdjustmentData,
        _ rendered: RenderedContent
    ) {
        let input = output.input
        self.init(
            history: input.history, keptCount: input.below.count,
            steps: [Step(output.editingExtension, adjustmentData)]
                + input.above.map { Step($0, $0.editingExtension) },
            renderedContent: rendered, baseRenditions: output.baseRenditions)
    }

    /// The staged files of renditions and parameters.
    var stagedBlobs: [StagedBlob] {
        (renderedContent?.blobs ?? []) + baseRenditions.values.map(\.blob)
            + steps.flatMap(\.files).compactMap(\.blob)
    }
}
