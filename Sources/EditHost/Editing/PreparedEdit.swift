// SPDX-License-Identifier: Apache-2.0

import Library

/// A change of an asset's edits that is ready to be committed, or has nothing to commit.
///
/// A batch holds one for each of its assets until it commits, so the history is kept only if nothing changes.
struct PreparedEdit: Sendable {
    let assetIdentifier: String
    /// The asset's content generation before the change.
    let generation: Int
    /// The identifiers of the edits before the change.
    private let edits: [String]
    /// The history, if there is nothing to commit.
    @Boxed private(set) var unchangedHistory: AssetHistory?
    /// Makes the change in a change block; nil if there is nothing to commit.
    let commit: (@Sendable (AssetChangeRequest) throws -> Void)?
    /// See the properties of the result with the same names.
    var extensionIdentifier: String?
    var input: EditResult.Input?
    var isUpdate = false
    private(set) var warnings: [String] = []

    /// Creates a change that has nothing to commit.
    init(unchanged history: AssetHistory) { self.init(history, unchanged: history, nil) }

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - history: The asset's history before the change.
    ///   - commit: Makes the change in a change block.
    init(
        of history: AssetHistory, commit: @escaping @Sendable (AssetChangeRequest) throws -> Void
    ) {
        self.init(history, unchanged: nil, commit)
    }

    private init(
        _ history: AssetHistory, unchanged: AssetHistory?,
        _ commit: (@Sendable (AssetChangeRequest) throws -> Void)?
    ) {
        assetIdentifier = history.asset.localIdentifier
        generation = history.asset.generation
        edits = history.chain.map(\.identifier)
        unchangedHistory = unchanged
        self.commit = commit
    }

    /// Creates the change to a rendered edit stack, with warnings about its rendition.
    init(_ chain: NewEditChain, of history: AssetHistory, warnings: [String] = []) {
        self.init(of: history) { try $0.replaceEdits(with: chain) }
        if let content = chain.renderedContent {
            self.warnings = content.omissions + content.otherParts.flatMap(\.omissions)
            if let loss = history.newEditLoss { self.warnings.append(loss) }
            if history.hasMotion, content.otherParts.isEmpty {
                self.warnings.append(
                    "the photo no longer has motion; the original keeps it, and revert "
                        + "restores it")
            }
        }
        self.warnings += warnings
    }

    /// Returns the result.
    ///
    /// - Parameter history: The asset's history after the change.
    func result(_ history: AssetHistory) -> EditResult {
        var result = EditResult(history: history)
        result.extensionIdentifier = extensionIdentifier
        result.input = input
        result.isUpdate = isUpdate
        result.warnings = warnings
        result.hasChanged = commit != nil
        result.editIdentifier = history.chain.map(\.identifier).first { !edits.contains($0) }
        return result
    }
}
