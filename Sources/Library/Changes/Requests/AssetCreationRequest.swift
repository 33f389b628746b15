// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Synchronization

/// A request to create an asset. Create it inside ``PhotoLibrary/performChanges(_:)``.
public final class AssetCreationRequest: Sendable {
    /// The outcome of a creation request.
    public enum Result: Hashable, Sendable {
        /// A new asset was created.
        case created
        /// The library already has an asset with the same original, with this identifier.
        case duplicate(existing: String)
        /// The asset with the same original was in the trash and was restored.
        case restored(existing: String)
    }

    struct State {
        var mediaType: MediaType
        var resources: [NewResource] = []
        var captureDate: CaptureDate?
        var fileDate: Date?
        var originalFolder: String?
        var location: Location?
        var isFavorite = false
        var isHidden = false
        var burstIdentifier: String?
        var keywords: [String]?
        var texts = AssetTexts()
        var duration = 0.0
        /// Metadata set by the block, which the file's facts do not replace.
        var chosen: Set<Fact> = []
        /// Whether the host has to decode the original.
        var isToBeDecoded = false
        var output: ContentEditingOutput?
        /// Source files to remove after the commit.
        var moved: [MovedFile] = []
        var moveErrors: [LibraryError] = []
        var addsCompanionsToDuplicate = true
        var result: Result?
    }

    /// A source file that is removed after the library has copied it.
    struct MovedFile {
        let source: SourceFile
        let hash: SHA256Digest
    }

    /// The media type of the asset, detected from the bytes of the first resource. If they are
    /// unavailable or not recognised, the type given by the caller.
    public var mediaType: MediaType { state.withLock { $0.mediaType } }
    /// The placeholder with the identifier that the asset will have.
    public let placeholderForCreatedAsset: AssetPlaceholder
    let state: Mutex<State>
    /// The media type given by the caller.
    private let said: MediaType?
    let block: ChangeBlock

    /// Creates a request for a new asset. Add its resources next.
    ///
    /// - Parameter mediaType: The media type, used if the bytes of the first resource are not
    ///   recognised. It must not contradict recognised bytes. Nil or `unknown` if the caller does
    ///   not know it.
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
        try resource.requireConsistency(asset: placeholderForCreatedAsset.localIdentifier)
        try state.withLock { state in
            if state.resources.isEmpty {
                state.mediaType = try resource.mediaType(
                    said: said, asset: placeholderForCreatedAsset.localIdentifier)
            }
            if state.resources.isEmpty { state.takeOver(resource.facts) }
            state.resources.append(resource)
        }
    }

    /// The errors of source files that could not be removed. The library has its copies anyway.
    /// Empty until the change has committed.
    public var moveErrors: [LibraryError] { state.withLock { $0.moveErrors } }

    /// Whether the companions are added to an existing asset with the same original. Otherwise, the
    /// caller adds them, after it has compared their metadata.
    package var addsCompanionsToDuplicate: Bool {
        get { state.withLock { $0.addsCompanionsToDuplicate } }
        set { set { $0.addsCompanionsToDuplicate = newValue } }
    }

    /// The outcome of the request; nil until the change has committed.
    public var result: Result? { state.withLock { $0.result } }

    func set(_ fact: Fact? = nil, _ change: (inout State) -> Void) {
        block.preconditionOpen()
        state.withLock { state in
            if let fact { state.chosen.insert(fact) }
            change(&state)
        }
    }

    /// The capture date, with the camera's offset from UTC. Set by the facts of the first resource.
    public var captureDate: CaptureDate? {
        get { state.withLock { $0.captureDate } }
        set { set(.date) { $0.captureDate = newValue } }
    }
    /// The location at which the asset was captured. Set by the facts of the first resource.
    public var location: Location? {
        get { state.withLock { $0.location } }
        set { set(.location) { $0.location = newValue } }
    }
    /// The modification time of the imported file.
    public var fileDate: Date? {
        get { state.withLock { $0.fileDate } }
        set { set { $0.fileDate = newValue } }
    }
    /// The path of the imported file's folder, relative to the folder that was imported.
    ///
    /// `performChanges` throws `invalidRequest` if it is absolute, or has a component that is empty,
    /// `.` or `..`.
    public var originalFolder: String? {
        get { state.withLock { $0.originalFolder } }
        set { set { $0.originalFolder = newValue } }
    }
    /// True if the asset will be a favourite.
    public var isFavorite: Bool {
        get { state.withLock { $0.isFavorite } }
        set { set { $0.isFavorite = newValue } }
    }
    /// True if the asset will be hidden.
    public var isHidden: Bool {
        get { state.withLock { $0.isHidden } }
        set { set { $0.isHidden = newValue } }
    }
    /// The identifier shared by the pictures of a burst. Set by the facts of the first resource.
    /// The first picture of a burst represents it.
    public var burstIdentifier: String? {
        get { state.withLock { $0.burstIdentifier } }
        set { set(.burst) { $0.burstIdentifier = newValue } }
    }
    /// The keywords of the asset. Set by the facts of the first resource.
    public var keywords: [String] {
        get { state.withLock { $0.keywords } ?? [] }
        set { set(.keywords) { $0.keywords = newValue } }
    }
    /// The duration in seconds; 0 for a photo.
    public var duration: Double {
        get { state.withLock { $0.duration } }
        set { set { $0.duration = newValue } }
    }
    /// The first edit of the asset, from an output that was created for the placeholder.
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
        let result = try executor.assets.insert(self)
        state.withLock { $0.result = result }
        if let output { _ = try executor.content.commitFirst(output) }
    }
}

extension AssetCreationRequest {
    /// The kinds of metadata that both a file and a change block can set.
    enum Fact: Hashable, Sendable {
        case date, location, burst, keywords, title, description, creator, copyright, label, rating
    }
}

extension AssetCreationRequest.State {
    /// Copies the metadata found in a file, except for properties that the block has set.
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
        if !chosen.contains(.creator) { texts.creator = metadata?.creator }
        if !chosen.contains(.copyright) { texts.copyright = metadata?.copyright }
        if !chosen.contains(.label) { texts.label = metadata?.label }
        if !chosen.contains(.rating) { texts.rating = metadata?.rating }
    }
}
