// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Synchronization

/// Asks for a new asset. Make it inside ``PhotoLibrary/performChanges(_:)``.
public final class AssetCreationRequest: Sendable {
    /// What became of the request.
    public enum Result: Hashable, Sendable {
        /// The asset was made.
        case created
        /// The library has an asset with the same original already, of this identifier.
        case duplicate(existing: String)
    }

    struct State {
        var resources: [NewResource] = []
        var captureDate: CaptureDate?
        var fileDate: Date?
        var location: Location?
        var isFavorite = false
        var isHidden = false
        var burstIdentifier: String?
        var keywords: [String]?
        var duration = 0.0
        var result: Result?
    }

    /// What kind of medium the asset will be.
    public let mediaType: MediaType
    /// The identifier that the asset will have.
    public let placeholderForCreatedAsset: AssetPlaceholder
    let state = Mutex(State())
    let block: ChangeBlock

    /// Asks for a new asset; add its resources next.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public init(mediaType: MediaType) throws {
        block = try ChangeBlock.current()
        self.mediaType = mediaType
        placeholderForCreatedAsset = AssetPlaceholder(
            localIdentifier: UUID().uuidString.lowercased())
        block.add(self)
    }

    func add(_ resource: NewResource) throws {
        guard block.isOpen else { throw ChangeBlock.outsideChangeBlock }
        state.withLock { state in
            if state.resources.isEmpty, let facts = resource.facts {
                state.captureDate = state.captureDate ?? facts.creationDate
                state.location = state.location ?? facts.location
                state.burstIdentifier =
                    state.burstIdentifier ?? facts.metadata?.burstIdentifier
                state.keywords = state.keywords ?? facts.metadata?.keywords
            }
            state.resources.append(resource)
        }
    }

    /// What became of the request; nil until the change has committed.
    public var result: Result? { state.withLock { $0.result } }

    private func set(_ change: (inout State) -> Void) {
        precondition(block.isOpen, ChangeBlock.outsideChangeBlock.detail)
        state.withLock { change(&$0) }
    }

    /// When it was taken; the facts of the first resource set it.
    /// Set it only inside the block: later it traps.
    public var captureDate: CaptureDate? {
        get { state.withLock { $0.captureDate } }
        set { set { $0.captureDate = newValue } }
    }
    /// Where it was taken; the facts of the first resource set it.
    /// Set it only inside the block: later it traps.
    public var location: Location? {
        get { state.withLock { $0.location } }
        set { set { $0.location = newValue } }
    }
    /// The time of the imported file.
    /// Set it only inside the block: later it traps.
    public var fileDate: Date? {
        get { state.withLock { $0.fileDate } }
        set { set { $0.fileDate = newValue } }
    }
    /// Whether it will be a favourite.
    /// Set it only inside the block: later it traps.
    public var isFavorite: Bool {
        get { state.withLock { $0.isFavorite } }
        set { set { $0.isFavorite = newValue } }
    }
    /// Whether it will be hidden.
    /// Set it only inside the block: later it traps.
    public var isHidden: Bool {
        get { state.withLock { $0.isHidden } }
        set { set { $0.isHidden = newValue } }
    }
    /// What it has in common with the other pictures of its burst; the facts of the first resource
    /// set it. The first picture of a burst stands for it.
    /// Set it only inside the block: later it traps.
    public var burstIdentifier: String? {
        get { state.withLock { $0.burstIdentifier } }
        set { set { $0.burstIdentifier = newValue } }
    }
    /// What it is found by; the facts of the first resource set it.
    /// Set it only inside the block: later it traps.
    public var keywords: [String] {
        get { state.withLock { $0.keywords } ?? [] }
        set { set { $0.keywords = newValue } }
    }
    /// Length in seconds.
    /// Set it only inside the block: later it traps.
    public var duration: Double {
        get { state.withLock { $0.duration } }
        set { set { $0.duration = newValue } }
    }
}

extension AssetCreationRequest: ChangeRequest {
    func describe(in summary: inout ChangeSummary) {
        summary.inserted.append(placeholderForCreatedAsset.localIdentifier)
    }

    var stagedBlobs: [StagedBlob] {
        state.withLock { $0.resources.compactMap(\.blob) }
    }

    func apply(with executor: ChangeExecutor) throws {
        let existing = try executor.insertAsset(self)
        state.withLock { state in
            state.result = existing.map { .duplicate(existing: $0) } ?? .created
        }
    }
}
