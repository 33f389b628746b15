// SPDX-License-Identifier: Apache-2.0

/// A request to move assets to the trash, to restore them from it, or to remove them for good.
struct AssetTrashRequest: ChangeRequest {
    /// The effect on each asset.
    enum Action: Sendable {
        case trash
        case restore
        case remove
        /// Removes those that are still in the trash.
        case empty
    }

    let action: Action
    let identifiers: [String]

    func describe(in summary: inout ChangeSummary) {
        switch action {
        case .trash, .remove, .empty: summary.removed += identifiers
        case .restore: identifiers.forEach { summary.addUpdated($0) }
        }
    }

    func apply(with executor: ChangeExecutor) throws {
        for identifier in identifiers {
            switch action {
            case .trash: try executor.assets.trash(identifier)
            case .restore: try executor.assets.restore(identifier)
            case .remove: try executor.assets.remove(identifier)
            case .empty: try executor.assets.removeFromTrash(identifier)
            }
        }
    }
}
