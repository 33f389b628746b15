// SPDX-License-Identifier: Apache-2.0

extension UndoPlan {
    /// The objects that the undo changes, for the authorisation hook.
    var summary: ChangeSummary {
        var summary = ChangeSummary()
        for change in restored {
            let identifier = change.identifier
            switch (change.key.type, change.property) {
            case (.asset, .existence): summary.removed.append(identifier)
            case (.asset, .trashedDate) where change.old != .empty:
                summary.removed.append(identifier)
            case (.asset, _): summary.addUpdated(identifier)
            case (.collection, .existence) where change.new == .empty:
                summary.insertedCollections.append(identifier)
            case (.collection, .existence): summary.removedCollections.append(identifier)
            case (.collection, _): summary.addUpdatedCollection(identifier)
            }
        }
        return summary
    }
}
