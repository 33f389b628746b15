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
        var mediaType: MediaType
        var resources: [NewResource] = []
        var captureDate: CaptureDate?
        var fileDate: Date?
        var location: Location?
        var isFavorite = false
        var isHidden = false
        var burstIdentifier: String?
        var keywords: [String]?
        var texts = AssetTexts()
        var duration = 0.0
        /// What the block has set, which the file's own facts do not replace.
        var chosen: Set<Fact> = []
        /// The host has to say what the original is.
        var isToBeDecoded = false
        var output: ContentEditingOutput?
        /// Files to be removed when the library has them.
        var moved: [MovedFile] = []
        var moveErrors: [LibraryError] = []
        var result: Result?
    }

    /// A file that leaves its place for the library.
    struct MovedFile {
        let source: SourceFile
        let hash: SHA256Digest
    }

    /// What kind of medium the asset will be: what the bytes of its first resource are; where they
    /// are away or are not recognised, what the caller has said.
    public var mediaType: MediaType { state.withLock { $0.mediaType } }
    /// The identifier that the asset will have.
    public let placeholderForCreatedAsset: AssetPlaceholder
    let state: Mutex<State>
    /// What the caller says of the medium.
    private let said: MediaType?
    let block: ChangeBlock

    /// Asks for a new asset; add its resources next.
    ///
    /// - Parameter mediaType: what it will be, where its bytes do not tell; where they do, they must
    ///   not tell something else. Nil, or `unknown`, where the caller does not know.
    /// - Throws: `LibraryError` with `outsideChangeBlock`.
    public init(mediaType: MediaType? = nil) throws {
        block = try ChangeBlock.current()
        said = mediaType
        state = Mutex(State(mediaType: mediaType ?? .unknown))
        placeholderForCreatedAsset = AssetPlaceholder(
            localIdentifier: UUID().uuidString.lowercased())
        block.add(self)
    }

    func add(_ resource: NewResource) throws {
        try block.requireOpen()
        try resource.requireTruth(asset: placeholderForCreatedAsset.localIdentifier)
        try state.withLock { state in
            if state.resources.isEmpty {
                state.mediaType = try resource.mediaType(
                    said: said, asset: placeholderForCreatedAsset.localIdentifier)
            }
            if state.resources.isEmpty { state.takeOver(resource.facts) }
            state.resources.append(resource)
        }
    }

    /// Why files that were to be moved into the library stayed where they were; they are in the library
    /// all the same. Empty until the change has committed.
    public var moveErrors: [LibraryError] { state.withLock { $0.moveErrors } }

    /// What became of the request; nil until the change has committed.
    public var result: Result? { state.withLock { $0.result } }

    func set(_ fact: Fact? = nil, _ change: (inout State) -> Void) {
        block.preconditionOpen()
        state.withLock { state in
            if let fact { state.chosen.insert(fact) }
            change(&state)
        }
    }

    /// When it was taken; the facts of the first resource set it.
    public var captureDate: CaptureDate? {
        get { state.withLock { $0.captureDate } }
        set { set(.date) { $0.captureDate = newValue } }
    }
    /// Where it was taken; the facts of the first resource set it.
    public var location: Location? {
        get { state.withLock { $0.location } }
        set { set(.location) { $0.location = newValue } }
    }
    /// The time of the imported file.
    public var fileDate: Date? {
        get { state.withLock { $0.fileDate } }
        set { set { $0.fileDate = newValue } }
    }
    /// Whether it will be a favourite.
    public var isFavorite: Bool {
        get { state.withLock { $0.isFavorite } }
        set { set { $0.isFavorite = newValue } }
    }
    /// Whether it will be hidden.
    public var isHidden: Bool {
        get { state.withLock { $0.isHidden } }
        set { set { $0.isHidden = newValue } }
    }
    /// What it has in common with the other pictures of its burst; the facts of the first resource
    /// set it. The first picture of a burst stands for it.
    public var burstIdentifier: String? {
        get { state.withLock { $0.burstIdentifier } }
        set { set(.burst) { $0.burstIdentifier = newValue } }
    }
    /// What it is found by; the facts of the first resource set it.
    public var keywords: [String] {
        get { state.withLock { $0.keywords } ?? [] }
        set { set(.keywords) { $0.keywords = newValue } }
    }
    /// Length in seconds; 0 for a photograph.
    public var duration: Double {
        get { state.withLock { $0.duration } }
        set { set { $0.duration = newValue } }
    }
    /// The first edit, for an output that was made for the placeholder.
    public var contentEditingOutput: ContentEditingOutput? {
        get { output }
        set { set { $0.output = newValue } }
    }
}

extension AssetCreationRequest: ChangeRequest {
    func describe(in summary: inout ChangeSummary) {
        summary.inserted.append(placeholderForCreatedAsset.localIdentifier)
    }

    var stagedBlobs: [StagedBlob] {
        state.withLock { $0.resources.compactMap(\.blob) + ($0.output?.stagedBlobs ?? []) }
    }

    func check(with executor: ChangeExecutor) throws {
        if let output { try requireOwn(output) }
    }

    private func requireOwn(_ output: ContentEditingOutput) throws {
        let identifier = placeholderForCreatedAsset.localIdentifier
        guard output.input.isForCreatedAsset, output.input.asset.localIdentifier == identifier
        else {
            throw LibraryError(
                .outputForAnotherAsset,
                "the output was made from asset \(output.input.asset.localIdentifier)",
                asset: identifier)
        }
    }

    func didCommit(in library: PhotoLibrary) {
        for file in state.withLock({ $0.moved }) {
            do {
                try library.remove(file.source, storedAs: file.hash)
            } catch {
                let error =
                    error as? LibraryError
                    ?? LibraryError(
                        .cannotWrite, "the file was imported, but not removed",
                        path: file.source.path, underlying: error)
                state.withLock { $0.moveErrors.append(error) }
            }
        }
    }

    func apply(with executor: ChangeExecutor) throws {
        let existing = try executor.assets.insert(self)
        state.withLock { state in
            state.result = existing.map { .duplicate(existing: $0) } ?? .created
        }
        if let output { _ = try executor.content.commitFirst(output) }
    }
}

extension AssetCreationRequest {
    /// What a file says of itself and a block can set.
    enum Fact: Hashable, Sendable {
        case date, location, burst, keywords, title, description, label, rating
    }
}

extension AssetCreationRequest.State {
    /// Takes over what a file says, but for what the block has set.
    mutating func takeOver(_ facts: PhotoFacts?) {
        guard let facts else { return }
        if !chosen.contains(.date) { captureDate = facts.creationDate }
        if !chosen.contains(.location) { location = facts.location }
        if !chosen.contains(.burst) { burstIdentifier = facts.metadata?.burstIdentifier }
        if !chosen.contains(.keywords) { keywords = facts.metadata?.keywords }
        if let video = facts.video { duration = video.duration }
        let metadata = facts.metadata
        if !chosen.contains(.title) { texts.title = metadata?.title }
        if !chosen.contains(.description) { texts.descriptionText = metadata?.descriptionText }
        if !chosen.contains(.label) { texts.label = metadata?.label }
        if !chosen.contains(.rating) { texts.rating = metadata?.rating }
    }
}
