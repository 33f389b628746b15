// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The values of properties before and after one change.
struct JournalValues {
    /// One value of an object.
    struct Key: Hashable {
        let object: ChangeRecorder.ObjectKey
        let property: JournalProperty
        let item: JournalValue
    }

    private var values: [Key: (old: JournalValue, new: JournalValue)] = [:]
    private var order: [Key] = []

    /// Adds a change of a value. Of several changes, the first old and the last new value are kept.
    mutating func add(_ key: Key, from old: JournalValue, to new: JournalValue) {
        if let before = values[key] {
            values[key] = (before.old, new)
        } else {
            order.append(key)
            values[key] = (old, new)
        }
    }

    /// Writes the values that differ, in the order of the objects.
    ///
    /// - Parameter kind: Returns the effect of the change on an object; nil for none.
    func write(
        _ database: Database, token: Int64,
        kind: (ChangeRecorder.ObjectKey) -> PersistentChange.Kind?
    ) throws {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO change_value VALUES (?, ?, ?, ?, ?, ?, ?)")
        for key in order {
            guard let value = values[key], value.old != value.new, let kind = kind(key.object),
                Self.isRecorded(key, kind)
            else { continue }
            try statement.execute(arguments: [
                token, key.object.type.rawValue, key.object.id, key.property.rawValue,
                key.item, value.old, value.new,
            ])
        }
    }

    /// An undo moves a new asset to the trash with all its values, and cannot bring back a removed
    /// one.
    private static func isRecorded(_ key: Key, _ kind: PersistentChange.Kind) -> Bool {
        switch kind {
        case .updated: true
        case .inserted: key.object.type == .collection || key.property == .existence
        case .removed: key.object.type == .collection
        }
    }
}
