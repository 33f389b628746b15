// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Synchronization

/// A request to change one asset. Create it inside ``PhotoLibrary/performChanges(_:)``.
///
/// Metadata is overwritten without checking for concurrent changes. Content is checked: an edit,
/// undo or redo based on an older generation of the asset fails with `conflict`.
public final class AssetChangeRequest: Sendable {
    struct State {
        var captureDate: CaptureDate??
        var captureDateChange: (@Sendable (CaptureDate) throws -> CaptureDate)?
        var location: Location??
        var originalFolder: String?
        var isFavorite: Bool?
        var isHidden: Bool?
        var burst = BurstChange()
        var texts = AssetTextChange()
        var keywordChanges: [KeywordChange] = []
        /// Executed in the order of the calls.
        var contentChanges: [ContentChange] = []
        @Boxed var output: ContentEditingOutput?
        var isUnchanged = false
        /// The identifier of the edit created from `output`, once the transaction has executed it.
        var edit: String?
        var isCommitted = false
        var resources: [NewResource] = []
        @Boxed var facts: FoundFacts?
        @Boxed var motionFacts: FoundFacts?
        @Boxed var metadata: RereadMetadata?
        @Boxed var newReference: NewReference?
        @Boxed var merged: MergedMetadata?
    }

    /// The local identifier of the asset.
    public let assetIdentifier: String
    /// The content generation that the caller saw; nil skips the check.
    let generation: Int?
    let state = Mutex(State())
    private let seen: Boxed<Asset>
    private let block: ChangeBlock

    /// Creates a request to change an asset.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public convenience init(for asset: Asset) throws {
        try self.init(asset.localIdentifier, generation: asset.generation, original: asset)
    }

    /// Creates a request to change an asset that the same block creates.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public convenience init(for placeholder: AssetPlaceholder) throws {
        try self.init(placeholder.localIdentifier, generation: nil, original: nil)
    }

    /// Creates a request to change the metadata of an asset, without holding its present values.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    package convenience init(forAsset identifier: String) throws {
        try self.init(identifier, generation: nil, original: nil)
    }

    private init(_ identifier: String, generation: Int?, original: Asset?) throws {
        block = try ChangeBlock.current()
        assetIdentifier = identifier
        self.generation = generation
        seen = Boxed(wrappedValue: original)
        block.add(self)
    }

    /// The asset that the caller saw; nil if only its identifier is known.
    var original: Asset? { seen.wrappedValue }

    /// True if a committed edit was equal to the one it replaces, so that nothing changed.
    public var isUnchanged: Bool { state.withLock { $0.isUnchanged } }

    /// The identifier of the edit created from ``contentEditingOutput``, regardless of later edits.
    /// If ``isUnchanged`` is true, the identifier of the existing edit. Nil until the transaction
    /// has committed, or if no output was set.
    public var committedEditIdentifier: String? {
        state.withLock { $0.isCommitted ? $0.edit : nil }
    }

    func set(_ change: (inout State) -> Void) {
        block.preconditionOpen()
        state.withLock { change(&$0) }
    }

    func add(_ resource: NewResource) throws {
        try block.requireOpen()
        try resource.requireConsistency(asset: assetIdentifier)
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

    /// The date at which the asset was captured, with the camera's offset from UTC.
    public var captureDate: CaptureDate? {
        get { state.withLock { $0.captureDate } ?? original?.captureDate }
        set { set { $0.captureDate = .some(newValue) } }
    }
    /// The date at which the asset was captured, without the camera's offset.
    public var creationDate: Date? {
        get { captureDate?.date }
        set { captureDate = newValue.map { CaptureDate(date: $0, offset: nil) } }
    }
    /// The location at which the asset was captured.
    public var location: Location? {
        get { state.withLock { $0.location } ?? original?.location }
        set { set { $0.location = .some(newValue) } }
    }
    /// The path of the imported file's folder, for an asset that has none yet.
    package var originalFolder: String? {
        get { state.withLock { $0.originalFolder } ?? original?.originalFolder }
        set { set { $0.originalFolder = newValue } }
    }
    /// True if the asset is a favourite.
    public var isFavorite: Bool {
        get { state.withLock { $0.isFavorite } ?? original?.isFavorite ?? false }
        set { set { $0.isFavorite = newValue } }
    }
    /// True if the asset is hidden.
    public var isHidden: Bool {
        get { state.withLock { $0.isHidden } ?? original?.isHidden ?? false }
        set { set { $0.isHidden = newValue } }
    }
    /// The result of an edit to commit; nil if none was set.
    public var contentEditingOutput: ContentEditingOutput? {
        get { state.withLock { $0.output } }
        set { set { $0.output = newValue } }
    }

    /// Makes the original current. The edits can be redone until the next edit, and ``undo()``
    /// returns to the state before. Metadata such as creation date and location is not reverted.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws
    ///   `originalMissing` if the original's bytes are not available.
    public func revertAssetContentToOriginal() throws { try add(.revert) }

    /// Returns to the state before the current one or, after a revert, to the state that it left.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `nothingToUndo`,
    ///   `renditionMissing` or `conflict`.
    public func undo() throws { try undo(rendered: nil) }

    /// Returns to the state before the current one, with a rendition in case the library has none;
    /// see ``undo()``.
    package func undo(rendered: RenderedContent?) throws { try move(by: -1, rendered: rendered) }

    /// Moves to the state after the current one.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `nothingToRedo`,
    ///   `renditionMissing` or `conflict`.
    public func redo() throws { try redo(rendered: nil) }

    /// Moves to the state after the current one, with a rendition in case the library has none; see
    /// ``redo()``.
    package func redo(rendered: RenderedContent?) throws { try move(by: 1, rendered: rendered) }

    /// Moves by several states at once, backwards if the number is negative, with a rendition in
    /// case the library has none; see ``undo()`` and ``redo()``.
    package func move(by steps: Int, rendered: RenderedContent?) throws {
        try add(.move(by: steps, Boxed(wrappedValue: rendered)))
    }

    /// Stores or replaces a rendition of an edit. This is not an undo step, and the modification
    /// date is unchanged if the bytes are equal.
    ///
    /// - Parameters:
    ///   - rendered: The re-rendered result of the edit.
    ///   - kind: The kind of rendition to store.
    ///   - editIdentifier: The identifier of the edit.
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `noSuchEdit` if
    ///   another change removed the edit.
    package func replaceRendition(
        _ rendered: RenderedContent, kind: Rendition.Kind, ofEdit editIdentifier: String
    ) throws {
        try add(.replaceRendition(rendered, kind, editIdentifier: editIdentifier))
    }
}

// MARK: - Bursts

extension AssetChangeRequest {
    /// Changes to the asset's role in its burst.
    struct BurstChange: Sendable {
        var identifier: String??
        var selectionTypes: AssetBurstSelectionType?
        var isAutomaticPick: Bool?
        var represents: Bool?
    }

    /// The identifier shared by the pictures of a burst; nil removes the asset from its burst. An
    /// asset added to a burst has no picks, and represents the burst if it is the first. A host
    /// attached to the library then picks the best frame.
    ///
    /// `performChanges` throws `invalidRequest` if ``PhotoMetadata/text(_:)`` would not keep the
    /// identifier unchanged.
    public var burstIdentifier: String? {
        get { state.withLock { $0.burst.identifier } ?? original?.burstIdentifier }
        set { set { $0.burst.identifier = .some(newValue) } }
    }

    /// The way in which the asset was picked from its burst: by the user, automatically, or both.
    /// Picks are listed in addition to the representative.
    ///
    /// `performChanges` throws `invalidRequest` for an asset without a burst.
    public var burstSelectionTypes: AssetBurstSelectionType {
        get { state.withLock { $0.burst.selectionTypes } ?? original?.burstSelectionTypes ?? [] }
        set { set { $0.burst.selectionTypes = newValue } }
    }

    /// Sets or removes the automatic pick without changing the user's. A no-op if the asset has
    /// left its burst meanwhile.
    package func setAutomaticPick(_ isPick: Bool) throws {
        try block.requireOpen()
        state.withLock { $0.burst.isAutomaticPick = isPick }
    }

    /// True if the asset represents its burst. Setting it to true replaces the current
    /// representative.
    ///
    /// `performChanges` throws `invalidRequest` if a representative is set to false, since a burst
    /// needs one. It also throws `invalidRequest` if an asset without a burst is set to true.
    public var representsBurst: Bool {
        get { state.withLock { $0.burst.represents } ?? original?.representsBurst ?? false }
        set { set { $0.burst.represents = newValue } }
    }
}

// MARK: - Keywords

extension AssetChangeRequest {
    /// A change of keywords.
    enum KeywordChange: Sendable {
        case add(String)
        case remove(String)
        /// Removes and adds exactly these keywords.
        case replace(removed: [String], added: [String])
        /// Replaces the keywords that the asset has by others.
        case rename([String: String])
    }

    /// Adds a keyword. A bar separates the levels of a hierarchy, such as `Places|Iceland`. A no-op
    /// if the asset already has the keyword, or has it within a hierarchy.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   if ``PhotoMetadata/text(_:)`` would not keep the keyword unchanged, or the asset would
    ///   have too many.
    public func addKeyword(_ keyword: String) throws {
        try add(.add(keyword))
    }

    /// Removes a keyword. A keyword in a hierarchy is given with all of its levels, separated by bars
    /// or slashes. A no-op if the asset does not have it.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public func removeKeyword(_ keyword: String) throws {
        try add(.remove(keyword))
    }

    /// Removes exactly these keywords. Those that the asset does not have are ignored.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    package func removeKeywords(_ keywords: [String]) throws {
        try add(.replace(removed: keywords, added: []))
    }

    /// Replaces the keywords that the asset has.
    ///
    /// - Parameter names: The new keywords by the old ones.
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `invalidRequest`
    ///   for an invalid keyword.
    package func renameKeywords(_ names: [String: String]) throws {
        try add(.rename(names))
    }
}
