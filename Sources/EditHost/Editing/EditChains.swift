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
    /// Gives assets the edits of another one, in their order, as one change: all of them, or none. Each asset gets one
    /// state more, which can be undone.
    ///
    /// - Parameters:
    ///   - source: the asset whose edits are copied, in the state that it is in.
    ///   - targets: the assets, each once; the source itself is left out.
    ///   - prepared: told of each asset in order whose new version is there.
    /// - Returns: what became of each, in their order.
    /// - Throws: `HostError`, `LibraryError`, `CancellationError`; nothing has changed then.
    public func copyEdits(
        of source: String, to targets: [String], _ options: EditCopyOptions = EditCopyOptions(),
        in library: PhotoLibrary, prepared: (String) -> Void = { _ in }
    ) async throws -> [EditChainResult] {
        let edits = try edits(of: source, options, in: library)
        let rendering = EditChainRendering(
            host: self, library: library, stillOnly: options.stillOnly)
        return try await apply(
            try rendering.steps(edits), to: targets.filter { $0 != source }, options, rendering,
            prepared)
    }

    /// Applies a preset to assets, as one change: all of them, or none. Each asset gets one state more, which can be
    /// undone.
    ///
    /// - Parameters:
    ///   - targets: the assets, each once.
    ///   - options: which edits of the preset, and where they go.
    ///   - prepared: told of each asset in order whose new version is there.
    /// - Returns: what became of each, in their order.
    /// - Throws: `HostError`, naming the extension that is missing or failed; `LibraryError`, `CancellationError`;
    ///   nothing has changed then.
    public func apply(
        _ preset: EditPreset, to targets: [String], _ options: EditCopyOptions = EditCopyOptions(),
        in library: PhotoLibrary, prepared: (String) -> Void = { _ in }
    ) async throws -> [EditChainResult] {
        let rendering = EditChainRendering(
            host: self, library: library, stillOnly: options.stillOnly)
        let wanted = try options.extensionNames.map { names in
            try names.map { try extensions.catalogue.installed(named: $0).identifier }
        }
        let chosen = preset.steps.filter { wanted?.contains($0.extensionIdentifier) ?? true }
        guard !chosen.isEmpty else {
            throw HostError(.badRequest, "the preset has no such edits")
        }
        let steps = try chosen.map { step in
            StatePlan.Step(
                binary: try extensions.binary(identifier: step.extensionIdentifier),
                adjustmentData: step.adjustmentData)
        }
        return try await apply(steps, to: targets, options, rendering, prepared)
    }

    private func apply(
        _ steps: [StatePlan.Step], to targets: [String], _ options: EditCopyOptions,
        _ rendering: EditChainRendering, _ prepared: (String) -> Void
    ) async throws -> [EditChainResult] {
        let library = rendering.library
        return try await replaceEdits(
            of: targets, in: library, warnings: EditChainRendering.warnings(of: steps), prepared
        ) {
            let history = try library.history(ofAsset: $0)
            let kept = options.replacesEdits ? 0 : history.chain.count
            let present = Array(history.chain[kept...])
            let wantsMotion =
                !options.stillOnly && history.pairedVideo != nil
                && history.chain.prefix(kept).allSatisfy(\.coversMotion)
            if steps.areThose(of: present),
                history.pairedVideo == nil
                    || present.allSatisfy({ $0.coversMotion == wantsMotion })
            {
                return (history, nil)
            }
            return (history, try await rendering.chain(kept, steps, of: history))
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
                    .badRequest, "no edit would be left; revert goes back to the original",
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

    private static func require(_ place: Int, of history: AssetHistory) throws {
        guard (1...max(1, history.chain.count)).contains(place), !history.chain.isEmpty else {
            throw HostError(
                .badRequest, "there is no edit \(place); the photograph has \(history.chain.count)",
                asset: history.asset.localIdentifier)
        }
    }

    private func rearrange(
        _ identifier: String, in library: PhotoLibrary,
        _ order: @escaping @Sendable (AssetHistory) throws -> (kept: Int, edits: [Edit])
    ) async throws -> EditChainResult {
        let results = try await replaceEdits(of: [identifier], in: library) {
            let history = try library.history(ofAsset: $0)
            let (kept, edits) = try order(history)
            if edits.map(\.identifier) == history.chain[kept...].map(\.identifier) {
                return (history, nil)
            }
            let rendering = EditChainRendering(
                host: self, library: library, stillOnly: history.chain.last?.coversMotion == false)
            return (
                history, try await rendering.chain(kept, try rendering.steps(edits), of: history)
            )
        }
        guard let result = results.first else { throw CancellationError() }
        return result
    }

    /// The edits that are copied.
    private func edits(
        of source: String, _ options: EditCopyOptions, in library: PhotoLibrary
    ) throws -> [Edit] {
        var edits = try library.history(ofAsset: source).chain
        if let names = options.extensionNames {
            let wanted = try names.map { try extensions.catalogue.installed(named: $0).identifier }
            edits = edits.filter {
                $0.editingExtension.map { wanted.contains($0.identifier) } ?? false
            }
        }
        guard edits.isEmpty else { return edits }
        throw HostError(
            .badRequest,
            options.extensionNames.map { "it has no edit with \($0.joined(separator: ", "))" }
                ?? "it has no edits", asset: source)
    }

    /// Renders chains side by side, and commits them as one change.
    private func replaceEdits(
        of identifiers: [String], in library: PhotoLibrary, warnings: [String] = [],
        _ prepared: (String) -> Void = { _ in },
        _ render: @escaping @Sendable (String) async throws -> (AssetHistory, NewEditChain?)
    ) async throws -> [EditChainResult] {
        await pool.warmUp()
        var all: [(history: AssetHistory, chain: NewEditChain?)] = []
        try await forEachOrdered(identifiers, limit: configuration.runnerLimit) {
            identifier -> Result<(AssetHistory, NewEditChain?), any Error> in
            do {
                return .success(try await render(identifier))
            } catch let error as HostError {
                return .failure(error.naming(asset: identifier))
            } catch {
                return .failure(error)
            }
        } deliver: { result in
            let next = try result.get()
            all.append(next)
            prepared(next.0.asset.localIdentifier)
        }
        let rendered = all
        let requests = Mutex<[String: AssetChangeRequest]>([:])
        if rendered.contains(where: { $0.chain != nil }) {
            try await library.performChanges {
                for (history, chain) in rendered {
                    guard let chain else { continue }
                    let request = try AssetChangeRequest(for: history.asset)
                    request.reportHistory()
                    requests.withLock { $0[request.assetIdentifier] = request }
                    try request.replaceEdits(with: chain)
                }
            }
        }
        return rendered.map { history, chain in
            let request = requests.withLock { $0[history.asset.localIdentifier] }
            let content = chain?.renderedContent
            let omissions =
                (content?.omissions ?? []) + (content?.otherParts.flatMap(\.omissions) ?? [])
            return EditChainResult(
                history: request?.committedHistory ?? history, hasChanged: chain != nil,
                warnings: chain == nil ? [] : warnings + omissions)
        }
    }
}

extension [StatePlan.Step] {
    /// Whether the recipes of edits are the same, by the same builds of extensions.
    fileprivate func areThose(of edits: [Edit]) -> Bool {
        count == edits.count
            && zip(self, edits).allSatisfy {
                $0.adjustmentData == $1.adjustmentData && $0.files.map(\.description) == $1.files
                    && $0.identity == $1.editingExtension
            }
    }
}
