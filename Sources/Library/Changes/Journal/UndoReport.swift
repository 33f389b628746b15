// SPDX-License-Identifier: Apache-2.0

/// What the undo of a journal entry restored and left, or would restore and leave.
package struct UndoReport: Hashable, Sendable {
    /// The effect of an undo on properties.
    package enum Outcome: String, Hashable, Sendable {
        /// The old value was restored.
        case undone
        /// The value has changed since, and was left.
        case changed
        /// The old value no longer exists, such as a state of the edits that a later edit
        /// discarded.
        case discarded
        /// The new photo has a video that was a separate one before.
        case joined
        /// The picture of the earlier state cannot be rendered.
        case unrendered
        /// The photo cannot have more keywords.
        case full
        /// The photo is in the trash, where its edits cannot be changed.
        case trashed
        /// The object, or one that the old value refers to, was removed for good.
        case removed
    }

    /// The properties of one object with the same outcome.
    package struct Row: Hashable, Sendable {
        /// The type of the object.
        package let objectType: PersistentChange.ObjectType
        /// The identifier of the object.
        package let identifier: String
        /// The filename of a photo, or the title of an album or folder. Empty for a removed one.
        package let name: String
        /// The effect on the properties.
        package let outcome: Outcome
        /// The names of the properties, without duplicates.
        package var properties: [String]
        /// The error for a picture that cannot be rendered.
        package var reason: String?
    }

    /// The properties, grouped by object and outcome.
    package internal(set) var rows: [Row] = []
    /// The number of photos that the entry removed for good.
    package internal(set) var removedAssetCount = 0

    /// The rows of properties that were or would be restored.
    package var undone: [Row] { rows.filter { $0.outcome == .undone } }
    /// The rows of properties that were or would be left.
    package var left: [Row] { rows.filter { $0.outcome != .undone } }

    private var indexes: [String: Int] = [:]

    init() {}

    /// Removes the rows of restored properties, after an undo that turned out to change nothing.
    mutating func removeUndone() {
        rows.removeAll { $0.outcome == .undone }
        indexes = [:]
    }

    /// Adds a property of an object.
    mutating func add(
        _ change: JournalChange, _ outcome: Outcome, name: String, reason: String? = nil
    ) {
        let property =
            change.property == .existence
            ? (change.new == .empty ? "deletion" : "creation") : change.property.label
        let key = "\(change.key.type.rawValue) \(outcome.rawValue) \(change.identifier)"
        if let index = indexes[key] {
            if !rows[index].properties.contains(property) {
                rows[index].properties.append(property)
            }
            return
        }
        indexes[key] = rows.count
        rows.append(
            Row(
                objectType: change.key.type, identifier: change.identifier, name: name,
                outcome: outcome, properties: [property], reason: reason))
    }
}

extension JournalProperty {
    /// The name of the property for users.
    fileprivate var label: String {
        switch self {
        case .existence: "existence"
        case .captureDate: "date"
        case .location: "location"
        case .isFavorite: "favorite"
        case .isHidden: "hidden"
        case .rating: "rating"
        case .title: "title"
        case .description: "description"
        case .creator: "creator"
        case .copyright: "copyright"
        case .label: "label"
        case .folder: "folder"
        case .trashedDate: "trash"
        case .burst, .burstPick, .burstRepresentative: "burst"
        case .keyword: "keywords"
        case .state: "edits"
        case .place: "place"
        case .cover: "cover"
        case .member: "photos"
        }
    }
}
