// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// Writes XMP files beside referenced originals.
struct SidecarWriter: Sendable {
    let library: PhotoLibrary
    let pool: RunnerPool
    let isDryRun: Bool
    /// Called with the path of a sidecar before it is replaced. Tests change it here.
    var willWrite: @Sendable (String) throws -> Void = { _ in }
    /// Called when a sidecar has been replaced, before the library stores it. Tests end the write here.
    var didWrite: @Sendable () throws -> Void = {}
    private let finder: SidecarFinder

    init(
        library: PhotoLibrary, pool: RunnerPool, isDryRun: Bool,
        finder: SidecarFinder = SidecarFinder()
    ) {
        self.library = library
        self.pool = pool
        self.isDryRun = isDryRun
        self.finder = finder
    }

    /// Writes the sidecar of an asset.
    ///
    /// - Returns: The result, also if the sidecar or the original cannot be used.
    /// - Throws: `HostError` with `runnerUnavailable`, `LibraryError` if the library is unusable; `CancellationError`.
    func write(_ identifier: String) async throws -> SidecarResult {
        var path: String?
        do {
            for _ in 1..<Self.attempts {
                if let result = try await attempt(identifier, &path) { return result }
            }
            if let result = try await attempt(identifier, &path) { return result }
            throw HostError(
                .busy, "\(path ?? "the sidecar") is being changed by another program; try again")
        } catch let error
            where error.concernsImportedFile || error.concernsOriginal || error.concernsSidecar
        {
            return SidecarResult(identifier, path, .failed, error: error)
        }
    }

    private static let attempts = 4

    /// Writes the sidecar of an asset once.
    ///
    /// - Parameter path: Set to the path of the sidecar.
    /// - Returns: Nil if another program changes the sidecar in the meantime.
    private func attempt(
        _ identifier: String, _ path: inout String?
    ) async throws -> SidecarResult? {
        let history = try library.history(ofAsset: identifier)
        guard let original = history.original, let picture = original.referencedPath else {
            return SidecarResult(
                identifier, nil, .skipped, reason: "its original is stored in the library")
        }
        path = picture + ".xmp"
        let file = try library.openOriginal(original, for: .rendering)
        let target = try target(of: history, beside: picture)
        path = target.path
        if let leftover = finder.leftover(in: target.place.folder) {
            throw HostError(
                .sidecarChanged,
                "an interrupted write left \(target.place.folder.path)/\(leftover), which may be a "
                    + "sidecar of another program; compare it with the sidecars and remove it")
        }
        guard let update = try await update(target, of: history, original) else {
            return SidecarResult(identifier, target.path, .unchanged)
        }
        if let contents = update.contents, !isDryRun {
            let isWritten = try NewFile.write(
                target.place, target.path, with: contents, replacing: target.present,
                beside: file, willWrite: { try willWrite(target.path) })
            if !isWritten { return nil }
            try didWrite()
        }
        if !isDryRun { try await store(update, as: target.storedName, history) }
        return SidecarResult(
            identifier, target.path, update.contents == nil ? .unchanged : .written)
    }
}

// MARK: - Finding

extension SidecarWriter {
    /// The sidecar to write.
    private struct Target {
        let path: String
        let place: Folder.Place
        /// The sidecar as it was read; nil if there is none.
        let present: FileSnapshot?
        /// The name of the sidecar in the library.
        let storedName: String
    }

    private func target(of history: AssetHistory, beside picture: String) throws -> Target {
        let (folderPath, name) = picture.pathParts
        let folder = try NewFile.open(folderPath)
        let raws = history.originals.filter { $0.type == .alternatePhoto }
            .compactMap { $0.referencedPath?.pathParts }
            .filter { FileName($0.folder) == FileName(folderPath) }.map { FileName($0.name) }
        let found = try finder.mainSidecar(of: FileName(name), raws: raws, in: folder)
        let sidecar = found ?? name + ".xmp"
        let path = (folderPath == "/" ? "" : folderPath) + "/" + sidecar
        let place = Folder.Place(folder: folder, name: sidecar)
        return Target(
            path: path, place: place,
            present: try FileSnapshot(of: place, limit: Self.maximumLength, path: path),
            storedName: SidecarOrder(history).libraryName(of: sidecar, beside: name))
    }

    /// The maximum length of a sidecar in bytes; that of the runner is lower.
    private static let maximumLength = 64 << 20
}

// MARK: - Reading and making

extension SidecarWriter {
    /// What to write and to store.
    private struct Update {
        /// The new contents; nil if those on disk have the library's values.
        let contents: OpenFile?
        /// The contents to store in the library, and what they state.
        let stored: (file: OpenFile, facts: SidecarFacts)
        /// What the original states.
        let picture: FactsOutput.Picture
    }

    /// Returns what to write and to store; nil if both the sidecar and the library are up to date.
    private func update(
        _ target: Target, of history: AssetHistory, _ original: AssetResource
    ) async throws -> Update? {
        let own = DescriptiveMetadata(
            history.asset, keywords: try history.asset.keywords(in: library))
        let stored = history.sidecars.last {
            FileName($0.originalFilename) == FileName(target.storedName)
        }
        guard let present = target.present else {
            return try await newContents(own, target, updating: nil, history, original)
        }
        let isKnown = try OutgoingFile(present.content).hash() == stored?.contentHash
        let facts = try await pool.readSidecar(present.content)
        if let problem = facts.problem {
            throw HostError(
                .badInput,
                "\(target.path) cannot be read and is not replaced; repair or remove it: \(problem)"
            )
        }
        var described = facts.described
        // Values that earlier versions have not read are left unchanged.
        let unread = own.unread(in: original.facts, removed: history.asset.removedTexts)
        if unread.contains(.creator) { described.creator = nil }
        if unread.contains(.copyright) { described.copyright = nil }
        let isSame = described.isSame(as: own)
        if isSame, facts.hasOutdatedKeywords,
            let update = try await newContents(
                own, target, updating: present.content, history, original)
        {
            return update
        }
        if isSame {
            if isKnown { return nil }
            return Update(
                contents: nil, stored: (present.content, facts),
                picture: try await read(original, target))
        }
        guard isKnown else {
            throw HostError(
                .sidecarChanged,
                "\(target.path) has changed since it was last imported; import it first")
        }
        return try await newContents(own, target, updating: present.content, history, original)
    }

    /// Returns new contents; nil if there is nothing to write.
    private func newContents(
        _ own: DescriptiveMetadata, _ target: Target, updating present: OpenFile?,
        _ history: AssetHistory, _ original: AssetResource
    ) async throws -> Update? {
        guard target.place.folder.isWritable else {
            throw HostError.output(path: target.place.folder.path)
        }
        if target.present?.isReadOnly(at: target.place) == true {
            throw HostError(
                .fileFailed, "\(target.path) is read-only and is not replaced; make it writable")
        }
        // An untrusted library may refer to any file, so its bytes are compared.
        let file = try library.openOriginal(original)
        var settings = SidecarWriting(
            MetadataChanges(
                own, readFrom: original.facts, removed: history.asset.removedTexts))
        settings.keepsOtherProperties = true
        var base = present
        if base == nil { base = try await lost(history) }
        let contents: OpenFile?
        do {
            contents = try await pool.writeSidecar(
                settings, updating: base,
                beside: history.asset.mediaType == .video ? nil : file)
        } catch let error as HostError where error.code == .badInput {
            throw HostError(
                .badInput, "\(target.path) is not replaced: \(error.message)", underlying: error)
        }
        guard let contents else { return nil }
        if let present, try contents.hasBytes(of: present) { return nil }
        let facts = try await pool.readSidecar(contents)
        if let problem = facts.problem {
            throw HostError(.runnerFailed, "\(target.path) cannot be made: \(problem)")
        }
        return Update(
            contents: contents, stored: (contents, facts),
            picture: try await read(original, target))
    }

    /// Returns the stored sidecar of an asset whose sidecar was removed from disk; nil if it cannot be used.
    private func lost(_ history: AssetHistory) async throws -> OpenFile? {
        guard let stored = history.mainSidecar else { return nil }
        let file = try library.openOriginal(stored)
        return try await pool.readSidecar(file).problem == nil ? file : nil
    }

    /// Reads what the original states, which is the base of later imports.
    private func read(_ original: AssetResource, _ target: Target) async throws
        -> FactsOutput.Picture
    {
        let file = try library.openOriginal(original)
        guard let picture = try await pool.read(file, Importer.format(of: file, at: file.path))
        else {
            throw HostError(
                .blockedFormat, "\(target.path) is not written, because \(RunnerPool.lacksVideos)")
        }
        return picture
    }

    /// Stores a sidecar in the library with what it states, as an import would.
    private func store(_ update: Update, as name: String, _ history: AssetHistory) async throws {
        let importer = Importer(library: library, pool: pool, method: .reference)
        let blob = try await library.stage(descriptor: update.stored.file.descriptor)
        let identifier = history.asset.localIdentifier
        try await importer.retrying {
            _ = try await importer.merge(
                update.picture, changed: nil,
                [
                    .init(
                        path: name, blob: blob, name: name, facts: update.stored.facts,
                        isReplacement: false)
                ],
                keepsValues: true, into: library.history(ofAsset: identifier))
        }
    }
}

extension DescriptiveMetadata {
    /// Whether the values are equal within the precision of XMP.
    fileprivate func isSame(as other: DescriptiveMetadata) -> Bool {
        var (own, other) = (self, other)
        if let place = own.location, let otherPlace = other.location,
            (place.latitude - otherPlace.latitude).magnitude < 1e-7,
            (place.longitude - otherPlace.longitude).magnitude < 1e-7
        {
            (own.location, other.location) = (nil, nil)
        }
        // Libraries store dates with a precision of one millisecond.
        guard own.captureDate?.text == other.captureDate?.text else { return false }
        (own.captureDate, other.captureDate) = (nil, nil)
        guard Set(own.keywords) == Set(other.keywords) else { return false }
        (own.keywords, other.keywords) = ([], [])
        return own == other
    }
}

extension Error {
    /// Whether the error concerns the sidecar of one asset.
    fileprivate var concernsSidecar: Bool {
        switch self {
        case let error as HostError: [.sidecarChanged, .busy].contains(error.code)
        default: false
        }
    }
}
