// SPDX-License-Identifier: Apache-2.0

import Library

/// What a change did to objects, as far as the history records it.
struct ChangeEvent: Hashable, Comparable, CustomStringConvertible {
    /// The effect on an object.
    enum Kind: String {
        case inserted, updated, trashed, removed
    }

    /// What changed in an updated object.
    enum Part: String {
        /// The edits of a photo.
        case edits
        /// The photos of an album, or the albums of a folder.
        case contents
        /// Everything else, such as keywords, marks and titles.
        case metadata
    }

    let type: PersistentChange.ObjectType
    let kind: Kind
    /// What was updated; empty for other kinds.
    let changed: [Part]

    /// - Parameter trashed: The identifiers of the assets that the change moved to the trash.
    init(_ item: PersistentChange.Item, trashed: Set<String>) {
        type = item.objectType
        kind =
            switch item.kind {
            case .inserted: .inserted
            case .updated where type == .asset && trashed.contains(item.identifier): .trashed
            case .updated: .updated
            case .removed: .removed
            }
        var changed: [Part] = []
        if kind == .updated {
            if item.isContentChange { changed.append(type == .asset ? .edits : .contents) }
            if item.isMetadataChange { changed.append(.metadata) }
        }
        self.changed = changed
    }

    var description: String {
        let parts = changed.map(\.rawValue).joined(separator: ", ")
        return parts.isEmpty ? kind.rawValue : "\(kind.rawValue) (\(parts))"
    }

    /// Photos come before albums, and both in the order of the kinds.
    static func < (one: Self, other: Self) -> Bool {
        one.order.lexicographicallyPrecedes(other.order)
    }

    private var order: [Int] {
        let kinds: [Kind] = [.inserted, .updated, .trashed, .removed]
        return [
            type == .asset ? 0 : 1, kinds.firstIndex(of: kind) ?? 0,
            changed.contains(.metadata) ? 1 : 0, changed.count,
        ]
    }
}
