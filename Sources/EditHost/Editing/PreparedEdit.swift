// SPDX-License-Identifier: Apache-2.0

import Library

/// A change of an asset's edits that is ready to be committed, or has nothing to commit.
struct PreparedEdit: Sendable {
    /// The result. Its history is the one before the change, until that is committed.
    var result: EditResult
    /// Makes the change in a change block; nil if there is nothing to commit.
    let commit: (@Sendable (AssetChangeRequest) throws -> Void)?

    init(
        _ history: AssetHistory, commit: (@Sendable (AssetChangeRequest) throws -> Void)? = nil
    ) {
        result = EditResult(history: history)
        self.commit = commit
    }

    /// Creates the change to a rendered edit stack, with warnings about its rendition.
    init(_ chain: NewEditChain, warnings: [String] = []) {
        let history = chain.history
        self.init(history) { try $0.replaceEdits(with: chain) }
        if let content = chain.renderedContent {
            result.warnings = content.omissions + content.otherParts.flatMap(\.omissions)
            if let loss = history.newEditLoss { result.warnings.append(loss) }
            if history.hasMotion, content.otherParts.isEmpty {
                result.warnings.append(
                    "the photo no longer has motion; the original keeps it, and revert "
                        + "restores it")
            }
        }
        result.warnings += warnings
    }
}
