// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// The starting point of an edit: an asset in one state, and the position of the edit in its stack.
///
/// A program that edits without an extension requests an input with files from the host
/// (`requestContentEditingInput` of `ExtensionHost`).
public struct ContentEditingInput: Sendable {
    /// The position of an edit in the stack that it starts from.
    package enum Placement: Hashable, Sendable {
        /// After the last edit. The input is the current version.
        case appending
        /// In place of the last edit, whose recipe the editor can read. The input is the previous
        /// version.
        case replacingLast
        /// In place of the edit at this position, counted from 1. The edits above it are kept and
        /// re-rendered.
        case reopening(step: Int)
    }

    /// The asset's history when the edit began.
    package internal(set) var history: AssetHistory
    /// The position of the edit in the stack.
    package let placement: Placement
    /// The edits applied to the original to make the input; empty if the input is the original.
    package let below: [Edit]
    /// The edit to be replaced; nil when appending.
    package let replaced: Edit?
    /// The edits to be re-rendered on top of the new one.
    package let above: [Edit]
    /// The files that the application reads and writes; nil if an extension edits.
    package var files: ContentEditingFiles?
    /// A host-defined value, such as the video or Live Photo to edit.
    package var hostValue: (any Sendable)?
    /// Whether the asset is created by the running change block, and not yet in the library.
    var isForCreatedAsset = false
    /// The staged original of an asset that the block creates.
    package internal(set) var stagedOriginal: StagedBlob?

    /// The asset when the edit began.
    public var asset: Asset { history.asset }
    /// The media type of the asset.
    public var mediaType: MediaType { asset.mediaType }
    /// The subtypes of the asset.
    public var mediaSubtypes: MediaSubtype { asset.mediaSubtypes }
    /// The capture date of the asset.
    public var creationDate: Date? { asset.creationDate }
    /// The location at which the asset was captured.
    public var location: Location? { asset.location }
    /// The uniform type identifier of the original, such as `public.jpeg`.
    public var uniformTypeIdentifier: String? { history.original?.uniformTypeIdentifier }
    /// The recipe of the reopened edit; nil when appending. With a recipe, the pixels are the input
    /// of that edit. Otherwise they are the current version.
    public var adjustmentData: AdjustmentData? { replaced?.adjustmentData }
    /// An uncompressed TIFF of the upright input pixels, with the photo's RGB profile and
    /// metadata. The file is in a private folder, removed with the last input or output that
    /// references it. Nil unless requested from the host.
    public var fullSizeImageURL: URL? { files?.fullSizeImage }
    /// The EXIF orientation of the full-size image: always 1, since its pixels are upright.
    public var fullSizeImageOrientation: Int { 1 }
    /// The input scaled for the screen, at most 2048 pixels on its longer side. Nil unless
    /// requested from the host, or if the options skip it.
    public var displaySizeImage: DisplaySizeImage? { files?.displaySizeImage }

    /// Creates the input for an edit of the current state.
    ///
    /// - Throws: `LibraryError` with `noSuchEdit` if the stack has no such step.
    package init(history: AssetHistory, placement: Placement) throws {
        let chain = history.chain
        self.history = history
        self.placement = placement
        let step: Int
        switch placement {
        case .appending:
            (below, replaced, above) = (chain, nil, [])
            return
        case .replacingLast: step = chain.count
        case .reopening(let chosen): step = chosen
        }
        guard (1...max(1, chain.count)).contains(step), !chain.isEmpty else {
            throw LibraryError(
                .noSuchEdit, "there is no edit \(step); the asset has \(chain.count)",
                asset: history.asset.localIdentifier)
        }
        below = Array(chain[..<(step - 1)])
        replaced = chain[step - 1]
        above = Array(chain[step...])
    }
}

extension ContentEditingInput {
    /// The presentation of the asset when the edit began.
    public var playbackStyle: Asset.PlaybackStyle { asset.playbackStyle }
    /// The format of the original, detected from its bytes; nil if unknown.
    public var contentType: MediaFormat? {
        history.original.flatMap { $0.format == .unknown ? nil : $0.format }
    }
}
