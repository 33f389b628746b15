// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Synchronization

/// Asks for changes to one asset. Make it inside ``PhotoLibrary/performChanges(_:)``.
///
/// Metadata is written as it is set, whatever others wrote before. Content is different: an
/// edit, undo or redo that was begun on an older generation of the asset fails with `conflict`.
public final class AssetChangeRequest: Sendable {
    /// What is to happen to the asset's content, in this order.
    enum ContentChange: Sendable {
        case edit(ContentEditingOutput)
        case replaceChain(NewEditChain)
        case revert
        case undo(RenderedContent?)
        case redo(RenderedContent?)
        case replaceRendition(RenderedContent, Rendition.Kind, editIdentifier: String)
        case version(VersionChange)
    }

    struct State {
        var captureDate: CaptureDate??
        var location: Location??
        var isFavorite: Bool?
        var isHidden: Bool?
        var burst = BurstChange()
        var texts = AssetTextChange()
        var keywordChanges: [KeywordChange] = []
        var contentChanges: [ContentChange] = []
        var output: ContentEditingOutput?
        var isUnchanged = false
        /// The edit that was made of `output`, once the transaction has come to it.
        var edit: String?
        var wantsHistory = false
        /// What the transaction left.
        var history: AssetHistory?
        var isCommitted = false
        var resources: [NewResource] = []
        var facts: FoundFacts?
        var motionFacts: FoundFacts?
    }

    /// The asset's identifier.
    public let assetIdentifier: String
    /// The generation that the caller has seen; nil where it does not matter.
    let generation: Int?
    let state = Mutex(State())
    let original: Asset?
    private let block: ChangeBlock

    /// Asks for changes to an asset.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public convenience init(for asset: Asset) throws {
        try self.init(asset.localIdentifier, generation: asset.generation, original: asset)
    }

    /// Asks for changes to an asset that the same block makes.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public convenience init(for placeholder: AssetPlaceholder) throws {
        try self.init(placeholder.localIdentifier, generation: nil, original: nil)
    }

    private init(_ identifier: String, generation: Int?, original: Asset?) throws {
        block = try ChangeBlock.current()
        assetIdentifier = identifier
        self.generation = generation
        self.original = original
        block.add(self)
    }

    /// Asks for assets to be deleted, with their edits. Their files go when the library is
    /// next pruned.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws `noSuchAsset`
    ///   where one is not there.
    public static func deleteAssets(_ assets: some Sequence<Asset>) throws {
        try ChangeBlock.current()
            .add(AssetDeletionRequest(identifiers: assets.map(\.localIdentifier)))
    }

    /// Whether a committed edit was found to equal the one it replaces, so that nothing changed.
    public var isUnchanged: Bool { state.withLock { $0.isUnchanged } }

    /// The identifier of the edit that ``contentEditingOutput`` became, as the transaction made it,
    /// whoever has edited since; of the one that was there where ``isUnchanged``. Nil until it has
    /// committed, and where no output was set.
    public var committedEditIdentifier: String? {
        state.withLock { $0.isCommitted ? $0.edit : nil }
    }

    /// Asks for ``committedHistory``.
    package func reportHistory() { state.withLock { $0.wantsHistory = true } }

    /// The asset's history as the transaction left it; nil until that has committed, and where
    /// nobody asked.
    package var committedHistory: AssetHistory? {
        state.withLock { $0.isCommitted ? $0.history : nil }
    }

    func set(_ change: (inout State) -> Void) {
        block.preconditionOpen()
        state.withLock { change(&$0) }
    }

    func add(_ resource: NewResource) throws {
        try block.requireOpen()
        try resource.requireTruth(asset: assetIdentifier)
        state.withLock { $0.resources.append(resource) }
    }

    private func add(_ change: KeywordChange) throws {
        try block.requireOpen()
        state.withLock { $0.keywordChanges.append(change) }
    }

    func add(_ change: ContentChange) throws {
        try block.requireOpen()
        state.withLock { $0.contentChanges.append(change) }
    }

    /// When it was taken.
    public var captureDate: CaptureDate? {
        get { state.withLock { $0.captureDate } ?? original?.captureDate }
        set { set { $0.captureDate = .some(newValue) } }
    }
    /// When it was taken, without the camera's offset.
    public var creationDate: Date? {
        get { captureDate?.date }
        set { captureDate = newValue.map { CaptureDate(date: $0, offset: nil) } }
    }
    /// Where it was taken.
    public var location: Location? {
        get { state.withLock { $0.location } ?? original?.location }
        set { set { $0.location = .some(newValue) } }
    }
    /// Whether it is a favourite.
    public var isFavorite: Bool {
        get { state.withLock { $0.isFavorite } ?? original?.isFavorite ?? false }
        set { set { $0.isFavorite = newValue } }
    }
    /// Whether it is hidden.
    public var isHidden: Bool {
        get { state.withLock { $0.isHidden } ?? original?.isHidden ?? false }
        set { set { $0.isHidden = newValue } }
    }
    /// The result of an edit to be committed; nil where none was set.
    public var contentEditingOutput: ContentEditingOutput? {
        get { state.withLock { $0.output } }
        set { set { $0.output = newValue } }
    }

    /// Asks for the original to be the current version again. The edits can be redone until
    /// the next edit. Creation date, location and the like stay as they are.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `originalMissing` where the original's bytes are not in the library.
    public func revertAssetContentToOriginal() throws { try add(.revert) }

    /// Asks for another chain of edits, as one state more, which can be undone. The chain's history is that of this asset;
    /// `performChanges` throws `conflict` where the asset was edited since.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`, `outputForAnotherAsset`.
    package func replaceEdits(with chain: NewEditChain) throws {
        guard chain.history.asset.localIdentifier == assetIdentifier else {
            throw LibraryError(
                .outputForAnotherAsset,
                "the edits were rendered for asset \(chain.history.asset.localIdentifier)",
                asset: assetIdentifier)
        }
        try add(.replaceChain(chain))
    }

    /// Asks for the state before the current one.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `nothingToUndo`, `renditionMissing` or `conflict`.
    public func undo() throws { try undo(rendered: nil) }

    /// Asks for the state before the current one, which has these pixels where the library does not
    /// have them; as ``undo()``.
    package func undo(rendered: RenderedContent?) throws { try add(.undo(rendered)) }

    /// Asks for the state after the current one.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `nothingToRedo`, `renditionMissing` or `conflict`.
    public func redo() throws { try redo(rendered: nil) }

    /// Asks for the state after the current one, which has these pixels where the library does not
    /// have them; as ``redo()``.
    package func redo(rendered: RenderedContent?) throws { try add(.redo(rendered)) }

    /// Asks for an edit's stored pixels to be replaced or to be kept from now on. This is no
    /// undo step, and the modification date stays where the bytes are equal.
    ///
    /// - Parameters:
    ///   - rendered: The edit's result, rendered again.
    ///   - kind: What it is for.
    ///   - editIdentifier: The edit.
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws `noSuchEdit`
    ///   where another change removed the edit.
    package func replaceRendition(
        _ rendered: RenderedContent, kind: Rendition.Kind, ofEdit editIdentifier: String
    ) throws {
        try add(.replaceRendition(rendered, kind, editIdentifier: editIdentifier))
    }
}

// MARK: - Bursts

extension AssetChangeRequest {
    /// What is to become of the asset in its burst.
    struct BurstChange: Sendable {
        var identifier: String??
        var selectionTypes: AssetBurstSelectionType?
        var represents: Bool?
    }

    /// What the pictures of its burst have in common; nil takes it out of its burst. A picture
    /// that comes into a burst is picked by nobody, and stands for it where it is the first.
    ///
    /// `performChanges` throws `invalidRequest` for what ``PhotoMetadata/text(_:)`` would not
    /// keep as it is.
    public var burstIdentifier: String? {
        get { state.withLock { $0.burst.identifier } ?? original?.burstIdentifier }
        set { set { $0.burst.identifier = .some(newValue) } }
    }

    /// By whom it was picked among the pictures of its burst. Picks are listed besides the
    /// picture that stands for the burst.
    ///
    /// `performChanges` throws `invalidRequest` for a picture that is in no burst.
    public var burstSelectionTypes: AssetBurstSelectionType {
        get { state.withLock { $0.burst.selectionTypes } ?? original?.burstSelectionTypes ?? [] }
        set { set { $0.burst.selectionTypes = newValue } }
    }

    /// Whether it stands for its burst. Setting it to true ends that another picture does.
    ///
    /// `performChanges` throws `invalidRequest` for false where it stands for its burst, which
    /// would leave none that does, and for true where it is in no burst.
    public var representsBurst: Bool {
        get { state.withLock { $0.burst.represents } ?? original?.representsBurst ?? false }
        set { set { $0.burst.represents = newValue } }
    }
}

// MARK: - Keywords

extension AssetChangeRequest {
    /// What is to become of a keyword.
    enum KeywordChange: Sendable {
        case add(String)
        case remove(String)
    }

    /// Asks for a keyword; one that the asset has already stays.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws
    ///   `invalidRequest` for a keyword that ``PhotoMetadata/text(_:)`` would not keep as it is,
    ///   and where the asset would have too many.
    public func addKeyword(_ keyword: String) throws {
        try add(.add(keyword))
    }

    /// Asks for a keyword to be taken away; one that the asset does not have is no error.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func removeKeyword(_ keyword: String) throws {
        try add(.remove(keyword))
    }
}
