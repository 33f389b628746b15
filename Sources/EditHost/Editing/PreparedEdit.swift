// SPDX-License-Identifier: Apache-2.0

import Library

/// A change of an asset's edits that is ready to be committed, or has nothing to commit.
///
/// A batch holds one for each of its assets until it commits, so the history is kept only if nothing changes.
struct PreparedEdit: BatchedContentChange {
    let assetIdentifier: String
    /// The identifiers of the edits before the change.
    private let edits: [String]
    /// The history, if there is nothing to commit.
    @Boxed private(set) var unchangedHistory: AssetHistory?
    /// The change; nil if there is nothing to commit.
    let contentChange: AssetContentChange?
    /// See the properties of the result with the same names.
    var extensionIdentifier: String?
    var input: EditResult.Input?
    var isUpdate = false
    private(set) var warnings: [String] = []

    /// Creates a change that has nothing to commit.
    init(unchanged history: AssetHistory) { self.init(history, unchanged: history, nil) }

    /// Creates a change.
    ///
    /// - Parameter history: The asset's history before the change.
    init(of history: AssetHistory, _ change: AssetContentChange) {
        self.init(history, unchanged: nil, change)
    }

    private init(
        _ history: AssetHistory, unchanged: AssetHistory?, _ change: AssetContentChange?
    ) {
        assetIdentifier = history.asset.localIdentifier
        edits = history.chain.map(\.identifier)
        unchangedHistory = unchanged
        contentChange = change
    }

    /// Creates the change to a rendered edit stack, with warnings about its rendition.
    init(_ chain: NewEditChain, of history: AssetHistory, warnings: [String] = []) {
        self.init(of: history, AssetContentChange(replacingEditsWith: chain))
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
        result.hasChanged = contentChange != nil
        result.editIdentifier = history.chain.map(\.identifier).first { !edits.contains($0) }
        return result
    }
}
