// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// What an edit starts from: an asset in one state, and where in its chain the edit will go.
///
/// A program that edits without a plug-in asks the host for one, which then has files to read
/// (`requestContentEditingInput` of `ExtensionHost`).
public struct ContentEditingInput: Sendable {
    /// Where an edit goes in the chain of the state that it starts from.
    package enum Placement: Hashable, Sendable {
        /// After the last edit: its input is the current version.
        case appending
        /// In place of the last edit, whose recipe the editor can read: its input is the
        /// previous version.
        case replacingLast
        /// In place of the edit at this place of the chain, counted from 1; the edits above it
        /// are kept and rendered again.
        case reopening(step: Int)
    }

    /// The asset's history when the edit was begun.
    package internal(set) var history: AssetHistory
    /// Where the edit goes.
    package let placement: Placement
    /// The edits that make up the input's pixels; empty when it is the original.
    package let below: [Edit]
    /// The edit that will be replaced; nil when appending.
    package let replaced: Edit?
    /// The edits that will be rendered again on top of the new one.
    package let above: [Edit]
    /// What the application reads and writes; nil where an extension edits.
    package var files: ContentEditingFiles?
    /// What the host gives with it: the video or Live Photo to edit.
    package var hostValue: (any Sendable)?
    /// Whether the asset is one that a change block makes, which is not in the library yet.
    var isForCreatedAsset = false
    /// The original of such an asset.
    package internal(set) var stagedOriginal: StagedBlob?

    /// The asset when the edit was begun.
    public var asset: Asset { history.asset }
    /// What kind of medium it is.
    public var mediaType: MediaType { asset.mediaType }
    /// What finer kinds it is of.
    public var mediaSubtypes: MediaSubtype { asset.mediaSubtypes }
    /// When it was taken.
    public var creationDate: Date? { asset.creationDate }
    /// Where it was taken.
    public var location: Location? { asset.location }
    /// The uniform type identifier of the original, such as `public.jpeg`.
    public var uniformTypeIdentifier: String? { history.original?.uniformTypeIdentifier }
    /// The recipe of the edit that is reopened; nil when appending. With a recipe, the pixels are
    /// those that it was made from; without, the current ones.
    public var adjustmentData: AdjustmentData? { replaced?.adjustmentData }
    /// An uncompressed TIFF of exactly the input's pixels, upright, with the photograph's RGB profile
    /// and metadata. It lies in a private folder, which goes with the last input or output that refers to it;
    /// nil unless it was requested from the host.
    public var fullSizeImageURL: URL? { files?.fullSizeImage }
    /// The EXIF orientation of the full-size image: always 1, its pixels are upright.
    public var fullSizeImageOrientation: Int { 1 }
    /// The input for the screen, its longer side at most 2048 pixels; nil unless it was requested
    /// from the host, or where the options skip it.
    public var displaySizeImage: DisplaySizeImage? { files?.displaySizeImage }

    /// Makes the input for an edit of the state that the asset is in.
    ///
    /// - Throws: `LibraryError` with `noSuchEdit` where the chain has no such step.
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
    /// How the asset was shown when the edit was begun.
    public var playbackStyle: Asset.PlaybackStyle { asset.playbackStyle }
    /// The format of the original, as its bytes tell it; nil where nobody knows.
    public var contentType: MediaFormat? {
        history.original.flatMap { $0.format == .unknown ? nil : $0.format }
    }
}
