// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What an edit made of its input. Set it on ``AssetChangeRequest/contentEditingOutput``.
public struct ContentEditingOutput: Sendable {
    /// What the edit started from.
    public let input: ContentEditingInput
    /// The recipe of the edit; without it the output cannot be committed.
    public var adjustmentData: AdjustmentData?
    /// The asset's new current version: the result of the edit and of those kept above it.
    public var renderedContent: RenderedContent?
    /// The extension that made the edit; nil for an edit that an application made itself.
    public var editingExtension: EditingExtensionIdentity?
    /// Lossless results to be kept for later edits to start from, by the place in the new chain
    /// of the edit whose result they are, counted from 1. Edits below the new one already
    /// have theirs and need none here.
    public var baseRenditions: [Int: RenderedContent] = [:]

    /// Makes an output that lacks everything but its input.
    public init(contentEditingInput: ContentEditingInput) {
        input = contentEditingInput
    }

    /// Recipe and pixels, or `missingAdjustmentData` or `missingRenderedContent`.
    func complete() throws -> (AdjustmentData, RenderedContent) {
        let asset = input.asset.localIdentifier
        guard let adjustmentData else {
            throw LibraryError(
                .missingAdjustmentData,
                "the output has no adjustment data; an edit must describe what it did",
                assetIdentifier: asset)
        }
        guard let renderedContent else {
            throw LibraryError(
                .missingRenderedContent, "the output has no rendered content",
                assetIdentifier: asset)
        }
        return (try Self.checked(adjustmentData, asset), renderedContent)
    }

    /// Adjustment data that was decoded rather than made has not been checked yet.
    private static func checked(
        _ adjustmentData: AdjustmentData, _ asset: String
    ) throws -> AdjustmentData {
        do {
            return try AdjustmentData(
                formatIdentifier: adjustmentData.formatIdentifier,
                formatVersion: adjustmentData.formatVersion, data: adjustmentData.data)
        } catch {
            throw LibraryError(
                .invalidAdjustmentData, "the output's adjustment data cannot be stored",
                assetIdentifier: asset, underlying: error)
        }
    }
}
