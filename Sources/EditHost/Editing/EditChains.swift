// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Synchronization

/// Which edits of an asset are copied, and where they go.
public struct EditCopyOptions: Sendable {
    /// The names of the extensions whose edits are copied; nil: all edits are.
    public var extensionNames: [String]?
    /// In place of the edits that an asset has; else above them.
    public var replacesEdits = false
    /// Of Live Photos: edit the still and leave the motion behind, until the edits are undone.
    public var stillOnly = false

    /// Makes options by which all edits are added above those that there are.
    public init() {}
}

/// What became of the edits of an asset.
public struct EditChainResult: Sendable {
    /// The asset's history afterwards.
    public let history: AssetHistory
    /// Whether it has other edits now.
    public let hasChanged: Bool
    /// What the user should know of the result.
    public let warnings: [String]
}

extension ExtensionHost {
    /// Gives assets edits, in their order, as one change: all assets, or none. Each gets one state more, which can be undone.
    ///
    /// - Parameters:
    ///   - source: where the edits come from. The asset that they are those of is left out.
    ///   - targets: the assets, each once.
    ///   - options: which of the edits, and where they go.
    ///   - cancellation: cancels it from elsewhere.
    ///   - prepared: told of each asset in order whose new version is there.
    /// - Returns: what became of each, in their order.
    /// - Throws: `HostError`, naming the extension that is missing or failed; `LibraryError`, `CancellationError`;
    ///   nothing has changed then.
    public func applyEdits(
        of source: EditSource, to targets: [String], _ options: EditCopyOptions = EditCopyOptions(),
        in library: PhotoLibrary, cancellation: EditCancellation = EditCancellation(),
        prepared: (String) -> Void = { _ in }
    ) async throws -> [EditChainResult] {
        let work = try work(source, options, library, cancellation)
        return try await replaceEdits(
            of: targets.filter { $0 != source.asset }, in: library, work, prepared)
    }

    /// Gives assets edits, each as a change of its own. Several are worked on side by side.
    ///
    /// - Parameters:
    ///   - source, targets, options, cancellation: as of ``applyEdits(of:to:_:in:cancellation:prepared:)``; what is
    ///     committed stays.
    ///   - report: told of each asset in order, with what became of it.
    /// - Throws: what is wrong with the source; what `report` throws; `CancellationError` where some were not begun.
    public func applyEditsToEach(
        of source: EditSource, to targets: [String], _ options: EditCopyOptions = EditCopyOptions(),
        in library: PhotoLibrary, cancellation: EditCancellation = EditCancellation(),
        report: (String, Result<EditChainResult, any Error>) async throws -> Void
    ) async throws {
        let work = try work(source, options, library, cancellation)
        try await forEachOrdered(
            targets.filter { $0 != source.asset }, limit: configuration.runnerLimit
        ) { identifier -> (String, Result<EditChainResult, any Error>) in
            do {
                let results = try await self.replaceEdits(of: [identifier], in: library, work)
                guard let result = results.first else { throw CancellationError() }
                return (identifier, .success(result))
            } catch {
                return (identifier, .failure(error))
            }
        } deliver: { identifier, result in
            try await report(identifier, result)
        }
    }

    /// Takes edits out of an asset's chain; those above are applied again, one state more.
    ///
    /// - Parameter places: the places of the edits in the chain, counted from 1.
    /// - Throws: `HostError`, `LibraryError`; nothing has changed then.
    public func removeEdits(
        at places: Set<Int>, of identifier: String, in library: PhotoLibrary
    ) async throws -> EditChainResult {
        try await rearrange(identifier, in: library) { history in
            for place in places { try Self.require(place, of: history) }
            let kept = (places.min() ?? 1) - 1
            let rest = (kept..<history.chain.count).filter { !places.contains($0 + 1) }
            guard kept > 0 || !rest.isEmpty else {
                throw HostError(
                    .badRequest, "that would remove all edits; use \"edithost revert\"",
                    asset: identifier)
            }
            return (kept, rest.map { history.chain[$0] })
        }
    }

    /// Moves an edit to another place of an asset's chain; it and those above are applied again, one state more.
    ///
    /// - Parameters:
    ///   - place: its place in the chain, counted from 1.
    ///   - target: its place afterwards.
    /// - Throws: `HostError`, `LibraryError`; nothing has changed then.
    public func moveEdit(
        at place: Int, to target: Int, of identifier: String, in library: PhotoLibrary
    ) async throws -> EditChainResult {
        try await rearrange(identifier, in: library) { history in
            try Self.require(place, of: history)
            try Self.require(target, of: history)
            var chain = history.chain
            chain.insert(chain.remove(at: place - 1), at: target - 1)
            let kept = min(place, target) - 1
            return (kept, Array(chain[kept...]))
        }
    }

    /// Disables edits of an asset's chain, which keep their places and recipes, or enables them again; those above are
    /// applied again, one state more.
    ///
    /// - Parameter places: the places of the edits in the chain, counted from 1.
    /// - Throws: `HostError`, `LibraryError`; nothing has changed then.
    public func setEdits(
        at places: Set<Int>, of identifier: String, enabled: Bool, in library: PhotoLibrary
    ) async throws -> EditChainResult {
        try await rearrange(identifier, in: library) { history in
            for place in places { try Self.require(place, of: history) }
            let kept = (places.min() ?? 1) - 1
            let edits = try history.chain.enumerated().dropFirst(kept).map { index, edit in
                guard places.contains(index + 1), edit.isEnabled != enabled else { return edit }
                // Its picture is stored with the edit that goes.
                guard edit.editingExtension != nil, edit.isReproducible else {
                    throw HostError(
                        .cannotRender,
                        "edit \(index + 1) cannot be rendered again from its recipe, so it "
                            + "could not be enabled later; use undo instead", asset: identifier)
                }
                return edit.with(isEnabled: enabled)
            }
            return (kept, edits)
        }
    }

    private static func require(_ place: Int, of history: AssetHistory) throws {
        guard (1...max(1, history.chain.count)).contains(place), !history.chain.isEmpty else {
            throw HostError(
                .badRequest,
                "there is no edit \(place); the photograph has "
                    + "\(history.chain.count == 1 ? "1 edit" : "\(history.chain.count) edits")",
                asset: history.asset.localIdentifier)
        }
    }

    private func rearrange(
        _ identifier: String, in library: PhotoLibrary,
        _ order: @escaping @Sendable (AssetHistory) throws -> (kept: Int, edits: [Edit])
    ) async throws -> EditChainResult {
        let work = EditChainWork {
            let history = try library.history(ofAsset: $0)
            let (kept, edits) = try order(history)
            let present = history.chain[kept...]
            if edits.map(\.identifier) == present.map(\.identifier),
                edits.map(\.isEnabled) == present.map(\.isEnabled)
            {
                return RenderedEditChain(history: history)
            }
            let rendering = EditChainRendering(
                host: self, library: library, stillOnly: history.chain.last?.coversMotion == false)
            let steps = try rendering.steps(edits)
            return RenderedEditChain(
                history: history, chain: try await rendering.chain(kept, steps, of: history),
                warnings: rendering.warnings(of: history, keeping: kept, steps))
        }
        let results = try await replaceEdits(of: [identifier], in: library, work)
        guard let result = results.first else { throw CancellationError() }
        return result
    }

    /// Renders chains side by side, and commits them as one change. They are begun again where somebody else has changed an
    /// asset meanwhile.
    private func replaceEdits(
        of identifiers: [String], in library: PhotoLibrary, _ work: EditChainWork,
        _ prepared: (String) -> Void = { _ in }
    ) async throws -> [EditChainResult] {
        try await retryingConflicts { attempt in
            try await replaceEditsOnce(
                of: identifiers, in: library, work, attempt == 1 ? prepared : { _ in })
        }
    }

    private func replaceEditsOnce(
        of identifiers: [String], in library: PhotoLibrary, _ work: EditChainWork,
        _ prepared: (String) -> Void
    ) async throws -> [EditChainResult] {
        await pool.warmUp()
        var all: [RenderedEditChain] = []
        try await forEachOrdered(identifiers, limit: configuration.runnerLimit) {
            identifier -> Result<RenderedEditChain, any Error> in
            do {
                return .success(try await work.render(identifier))
            } catch let error as HostError {
                return .failure(error.naming(asset: identifier))
            } catch {
                return .failure(error)
            }
        } deliver: { result in
            let next = try result.get()
            all.append(next)
            prepared(next.history.asset.localIdentifier)
        }
        let rendered = all
        let requests = Mutex<[String: AssetChangeRequest]>([:])
        if rendered.contains(where: { $0.chain != nil }) {
            try await library.performChanges {
                for next in rendered {
                    guard let chain = next.chain else { continue }
                    let request = try AssetChangeRequest(for: next.history.asset)
                    request.reportHistory()
                    requests.withLock { $0[request.assetIdentifier] = request }
                    try request.replaceEdits(with: chain)
                }
            }
        }
        return rendered.map { next in
            let request = requests.withLock { $0[next.history.asset.localIdentifier] }
            let content = next.chain?.renderedContent
            var warnings = next.warnings + (content?.omissions ?? [])
            warnings += content?.otherParts.flatMap(\.omissions) ?? []
            if content != nil { warnings += [next.history.newEditLoss].compactMap(\.self) }
            if next.history.hasMotion, content?.otherParts.isEmpty == true {
                warnings.append(FinishedAssetEdit.lostMotion)
            }
            return EditChainResult(
                history: request?.committedHistory ?? next.history, hasChanged: next.chain != nil,
                warnings: next.chain == nil ? [] : warnings)
        }
    }
}
