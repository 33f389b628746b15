// SPDX-License-Identifier: Apache-2.0

/// A change of an asset's content. Stored on the heap, because a batch has many.
indirect enum ContentChange: Sendable {
    case replaceChain(NewEditChain)
    case revert
    case move(by: Int, Boxed<RenderedContent>)
    case replaceRendition(RenderedContent, Rendition.Kind, editIdentifier: String)
    case version(VersionChange)

    /// The staged bytes that must be durable before the transaction begins.
    var stagedBlobs: [StagedBlob] {
        switch self {
        case .replaceChain(let chain): chain.stagedBlobs
        case .revert: []
        case .move(_, let rendered): rendered.wrappedValue?.blobs ?? []
        case .replaceRendition(let rendered, _, _): [rendered.blob]
        case .version(.use(_, _, let rendered)): rendered?.blobs ?? []
        case .version: []
        }
    }

    /// Validates the change against the library before files are published.
    func check(with executor: ChangeExecutor) throws {
        guard case .replaceChain(let chain) = self else { return }
        try executor.content.requireChangeable(chain.assetIdentifier, chain.generation)
    }

    /// Performs the change inside the transaction.
    ///
    /// - Parameter generation: The content generation that the caller saw; nil skips the check.
    func apply(
        to identifier: String, from generation: Int?, with executor: ChangeExecutor
    ) throws {
        switch self {
        case .replaceChain(let chain):
            try executor.content.commit(chain)
        case .revert:
            try executor.content.revert(identifier)
        case .move(let steps, let rendered):
            try executor.content.move(
                by: steps, identifier, from: generation, rendered: rendered.wrappedValue)
        case .replaceRendition(let rendered, let kind, let edit):
            try executor.content.replaceRendition(
                rendered, kind: kind, ofEdit: edit, in: identifier)
        case .version(let change):
            try executor.content.apply(change, identifier, from: generation)
        }
    }
}
