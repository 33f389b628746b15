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
        for change in changes {
            try change.apply(to: assetIdentifier, from: generation, with: executor)
        }
        if let output { try apply(output, with: executor) }
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

    private func apply(_ output: ContentEditingOutput, with executor: ChangeExecutor) throws {
        try requireOwn(output)
        let (edit, isChange) =
            try output.input.isForCreatedAsset
            ? executor.content.commitFirst(output) : executor.content.commit(output)
        state.withLock { state in
            state.edit = edit
            state.isUnchanged = !isChange
        }
    }
}
