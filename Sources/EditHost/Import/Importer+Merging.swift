// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Library
import RunnerHost
import Synchronization

extension Importer {
    /// Runs a change of an asset again if another process changed the asset in the meantime.
    func retrying<Value>(_ change: () async throws -> Value) async throws -> Value {
        for _ in 1..<Self.attempts {
            do {
                return try await change()
            } catch let error as LibraryError where error.code == .conflict {}
        }
        return try await change()
    }

    private static let attempts = 4

    /// Adds the companions that a stored asset lacks, and takes over the values in new and changed sidecars.
    ///
    /// - Parameters:
    ///   - picture: The file without its sidecars; nil if it has not been read.
    ///   - reference: The new state of a referenced original in which metadata was changed.
    func add(
        _ companions: [StagedFile], of file: StagedFile, _ format: MediaFormat,
        _ picture: FactsOutput.Picture?, to asset: Asset,
        replacing reference: FileReference? = nil
    ) async throws -> [ImportResult] {
        var results = try await retrying {
            try await addOnce(
                companions, of: file, format, picture, to: asset, replacing: reference)
        }
        if try await addFolder(of: file, to: asset), results[0].status == .duplicate {
            results[0] = results[0].with(.updated)
        }
        return results
    }

    /// Stores the folder of a file if the asset with its content has none.
    ///
    /// - Returns: Whether the asset was changed.
    private func addFolder(of file: StagedFile, to asset: Asset) async throws -> Bool {
        guard asset.originalFolder == nil, let folder = finder.folders[FileName(file.path)] else {
            return false
        }
        try await library.performChanges {
            try AssetChangeRequest(for: asset).originalFolder = folder
        }
        return true
    }

    private func addOnce(
        _ companions: [StagedFile], of file: StagedFile, _ format: MediaFormat,
        _ picture: FactsOutput.Picture?, to asset: Asset, replacing reference: FileReference?
    ) async throws -> [ImportResult] {
        let history = try library.history(ofAsset: asset.localIdentifier)
        var (results, others): ([ImportResult], [StagedFile]) = ([], [])
        var news: [NewSidecar] = []
        var dates: [FileName: Date] = [:]
        let identifier = asset.localIdentifier
        for companion in companions {
            guard companion.type == .metadataSidecar else {
                let isNew = !isStored(companion, in: history)
                if isNew { others.append(companion) }
                results.append(companion.result(isNew ? .imported : .duplicate, of: identifier))
                continue
            }
            switch try await examine(companion, beside: file, of: history) {
            case .unchanged(let name):
                dates[FileName(name)] = companion.date
                results.append(companion.result(.duplicate, of: identifier))
            case .new(let sidecar):
                news.append(sidecar)
                results.append(
                    companion.result(sidecar.isReplacement ? .updated : .imported, of: identifier))
            case .unused(let status, let error):
                var result = companion.result(status, of: nil)
                result.error = error
                results.append(result)
            }
        }
        var primary = file.result(.duplicate, of: identifier)
        guard !news.isEmpty || readsAgain || reference != nil else {
            try await store(others, in: asset, nil)
            return [primary] + results
        }
        var read = picture
        if read == nil {
            read = try await pool.read(
                file.staged.open(), format, marks: marks(history, companions))
        }
        guard let read else {
            try await store(others, in: asset, nil)
            return [unread(primary)]
                + results.map { result in
                    news.contains { $0.path == result.path } ? unread(result) : result
                }
        }
        let merged = try await merge(
            read, changed: file.date, news, dates, others, replacing: reference, into: history)
        primary = file.result(merged.isUpdate ? .updated : .duplicate, of: identifier)
        primary.take(merged)
        return [primary] + results
    }

    /// Whether an asset has a companion.
    func isStored(_ companion: StagedFile, in history: AssetHistory) -> Bool {
        history.originals.contains {
            $0.type == companion.type && $0.contentHash == companion.staged.hash
                && library.isLocallyAvailable($0)
        }
    }

    /// The result for a video, or its sidecar, that cannot be read without a runner for videos.
    private func unread(_ result: ImportResult) -> ImportResult {
        var result = result.with(
            result.resourceType == .metadataSidecar
                ? .skipped : readsAgain ? .rejected : result.status)
        let error = HostError(.blockedFormat, RunnerPool.lacksVideos)
        // The reason is printed for files that belong to no asset.
        if result.status == .skipped { result.assetIdentifier = nil }
        if result.status == .duplicate {
            result.warnings.append("its sidecar was not read, because \(error.message)")
        } else {
            result.error = error
        }
        return result
    }
}

extension Importer {
    /// The outcome of reading a stored asset again.
    struct Merged: Sendable {
        let isUpdate: Bool
        let kept: [KeptMetadataValue]
        let warnings: [String]
    }

    /// Takes over the values that an original and its sidecars state now, and stores companions.
    ///
    /// - Parameters:
    ///   - picture: The original without its sidecars.
    ///   - date: The modification time of its file; nil if it is unknown.
    ///   - news: The sidecars to store.
    ///   - dates: The modification times of unchanged sidecars, by their names in the library.
    ///   - others: The other companions to store.
    ///   - reference: The new state of a referenced original in which metadata was changed.
    ///   - keepsValues: Whether the library's values are kept, because they were just written to a sidecar.
    /// - Throws: `LibraryError` with `conflict` if the asset has changed in the meantime.
    func merge(
        _ picture: FactsOutput.Picture, changed date: Date?, _ news: [NewSidecar] = [],
        _ dates: [FileName: Date] = [:], _ others: [StagedFile] = [],
        replacing reference: FileReference? = nil, keepsValues: Bool = false,
        into history: AssetHistory
    ) async throws -> Merged {
        guard let original = history.original, let stored = original.contentHash else {
            throw HostError(.badInput, "the original is missing")
        }
        let stated = try await read(history, with: news, dates: dates)
        var facts = picture.facts
        facts.keepVideoContent(of: original.facts)
        facts.imageDataHash = facts.imageDataHash ?? original.facts?.imageDataHash
        add(stated.current, to: &facts, changed: picture.changeDate ?? date)
        let metadata = RereadMetadata(
            facts, original: reference?.hash ?? stored,
            stated: stated.problems.isEmpty ? facts.described : nil,
            before: stated.before.map(\.described).reduce(DescriptiveMetadata()) {
                $0.filled(from: $1)
            },
            storedSidecars: history.sidecars,
            newSidecars: news.map { .init(filename: $0.name, blob: $0.blob) },
            restoresMissing: readsAgain, keepsValues: keepsValues)
        let motion = readsAgain ? try await unknownMotion(of: history) : nil
        let favorite = stated.favorite(of: history.asset)
        let request = try await store(others, in: history.asset, metadata) { request in
            if let favorite { request.isFavorite = favorite }
            if let reference { request.replaceReference(with: reference, of: stored) }
            if let motion { request.setMotionFacts(motion.facts, of: motion.hash) }
        }
        let merged = request?.committedMerge
        let beside = stated.current.map(\.described).reduce(DescriptiveMetadata()) {
            $0.filled(from: $1)
        }
        return Merged(
            isUpdate: merged?.isUpdate == true || motion != nil || reference != nil
                || favorite != nil,
            kept: (merged?.kept ?? []).map { $0.located(in: beside) },
            warnings: (readsAgain ? picture.warnings : []) + stated.problems)
    }

    /// Stores companions and metadata in one change.
    @discardableResult
    private func store(
        _ companions: [StagedFile], in asset: Asset, _ metadata: RereadMetadata?,
        _ change: @Sendable (AssetChangeRequest) throws -> Void = { _ in }
    ) async throws -> AssetChangeRequest? {
        if companions.isEmpty, metadata == nil { return nil }
        let made = Mutex<AssetChangeRequest?>(nil)
        try await library.performChanges {
            let request = try AssetChangeRequest(for: asset)
            if let metadata { request.merge(metadata) }
            try change(request)
            for companion in companions { try request.add(companion) }
            made.withLock { $0 = request }
        }
        return made.withLock { $0 }
    }
}
