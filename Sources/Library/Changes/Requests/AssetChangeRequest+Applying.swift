// SPDX-License-Identifier: Apache-2.0

extension AssetChangeRequest: ChangeRequest {
    func describe(in summary: inout ChangeSummary) {
        summary.addUpdated(assetIdentifier)
    }

    var stagedBlobs: [StagedBlob] {
        let (changes, output) = state.withLock { ($0.contentChanges, $0.output) }
        return changes.flatMap(\.stagedBlobs) + (output?.stagedBlobs ?? [])
            + state.withLock {
                $0.resources.compactMap(\.blob) + ($0.metadata?.newSidecars ?? []).map(\.blob)
            }
    }

    func check(with executor: ChangeExecutor) throws {
        let (changes, output) = state.withLock { ($0.contentChanges, $0.output) }
        for case .replaceChain(let chain) in changes {
            try executor.content.requireChangeable(chain.assetIdentifier, chain.generation)
        }
        guard let output else { return }
        try requireOwn(output)
        // An asset that this block creates is not in the database yet.
        if output.input.isForCreatedAsset { return }
        let asset = output.input.asset
        try executor.content.requireChangeable(asset.localIdentifier, asset.generation)
    }

    func apply(with executor: ChangeExecutor) throws {
        let (changes, output) = state.withLock { ($0.contentChanges, $0.output) }
        if let reference = state.withLock({ $0.newReference }) {
            try executor.resources.replaceReference(reference, ofAsset: assetIdentifier)
        }
        if let metadata = state.withLock({ $0.metadata }) {
            let merged = try executor.metadata.merge(metadata, into: assetIdentifier)
            state.withLock { $0.take(merged) }
        }
        try executor.assets.update(self)
        try executor.facts.write(state.withLock { $0.facts }, of: assetIdentifier)
        try executor.facts.write(
            motion: state.withLock { $0.motionFacts }, of: assetIdentifier)
        try executor.resources.addCompanions(state.withLock { $0.resources }, to: assetIdentifier)
        for change in changes { try apply(change, with: executor) }
        if let output { try apply(.edit(output), with: executor) }
        guard let handler = state.withLock({ $0.historyHandler }) else { return }
        let reader = HistoryReader(
            database: executor.context.database, assetIdentifier: assetIdentifier)
        try handler(try reader.history())
    }

    /// Whether the request only replaces renditions, which repairs also do in the trash.
    var replacesRenditions: Bool {
        let changes = state.withLock { $0.contentChanges }
        return !changes.isEmpty
            && changes.allSatisfy { if case .replaceRendition = $0 { true } else { false } }
    }

    func didCommit(in library: PhotoLibrary) { state.withLock { $0.isCommitted = true } }

    private func requireOwn(_ output: ContentEditingOutput) throws {
        guard output.input.asset.localIdentifier == assetIdentifier else {
            throw LibraryError(
                .outputForAnotherAsset,
                "the output was made from asset \(output.input.asset.localIdentifier)",
                asset: assetIdentifier)
        }
    }

    private func apply(_ change: ContentChange, with executor: ChangeExecutor) throws {
        switch change {
        case .edit(let output):
            try requireOwn(output)
            let (edit, isChange) =
                try output.input.isForCreatedAsset
                ? executor.content.commitFirst(output) : executor.content.commit(output)
            state.withLock { state in
                state.edit = edit
                state.isUnchanged = !isChange
            }
        case .replaceChain(let chain):
            try executor.content.commit(chain)
        case .revert:
            try executor.content.revert(assetIdentifier)
        case .move(let steps, let rendered):
            try executor.content.move(
                by: steps, assetIdentifier, from: generation, rendered: rendered)
        case .replaceRendition(let rendered, let kind, let editIdentifier):
            try executor.content.replaceRendition(
                rendered, kind: kind, ofEdit: editIdentifier, in: assetIdentifier)
        case .version(let change):
            try executor.content.apply(change, assetIdentifier, from: generation)
        }
    }
}

extension AssetChangeRequest.ContentChange {
    fileprivate var stagedBlobs: [StagedBlob] {
        switch self {
        case .edit(let output): output.stagedBlobs
        case .replaceChain(let chain): chain.stagedBlobs
        case .revert: []
        case .move(_, let rendered): rendered?.blobs ?? []
        case .replaceRendition(let rendered, _, _): [rendered.blob]
        case .version(.use(_, _, let rendered)): rendered?.blobs ?? []
        case .version: []
        }
    }
}
