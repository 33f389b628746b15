// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A value that an entry of the journal changed.
struct JournalChange: Hashable, Sendable {
    /// The value of an object that was changed.
    struct Key: Hashable, Sendable {
        let type: PersistentChange.ObjectType
        /// The identifier of the object. Its row ID may be another one after it was removed and
        /// restored.
        let identifier: String
        let property: JournalProperty
        let item: JournalValue
    }

    let key: Key
    let old: JournalValue
    var new: JournalValue

    var identifier: String { key.identifier }
    var property: JournalProperty { key.property }

    /// Reads the type and identifier of the object, the property, the item, and the two values.
    init(_ row: Row) throws {
        key = Key(
            type: try row.value(0), identifier: try row.value(1), property: try row.value(2),
            item: try row.value(3))
        old = try row.value(4)
        new = try row.value(5)
    }

    /// Whether the change is that of a new asset.
    var isCreationOfAsset: Bool {
        property == .existence && key.type == .asset && new != .empty
    }

    /// Whether the undo of the change removes a keyword from an asset.
    var removesKeywordOnUndo: Bool { property == .keyword && old == .empty }

    /// Whether a value was not changed by others between an earlier change and this one. The ranks
    /// of an album's photos and those of a folder's albums also change when others are moved.
    func continues(_ earlier: JournalChange) -> Bool {
        switch property {
        case .member: (old == .empty) == (earlier.new == .empty)
        case .place: JournalPlace(old)?.folder == JournalPlace(earlier.new)?.folder
        default: old == earlier.new
        }
    }

    /// The error for a value that its property cannot have.
    var damage: LibraryError {
        LibraryError(
            .damaged,
            "the journal has an invalid value of \(property.rawValue); run edithost check",
            asset: key.type == .asset ? identifier : nil)
    }
}
