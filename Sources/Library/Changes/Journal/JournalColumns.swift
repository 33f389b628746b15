// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// The values of an asset's columns, as the journal records them.
///
/// Two columns that belong together, such as a latitude and a longitude, are one value, so that an
/// undo restores both or neither.
enum JournalColumns {
    /// The properties that are stored in columns, with the first of their columns.
    private static let columns: KeyValuePairs<String, JournalProperty> = [
        "creation_date": .captureDate, "latitude": .location, "is_favorite": .isFavorite,
        "is_hidden": .isHidden, "rating": .rating, "title": .title, "description": .description,
        "creator": .creator, "copyright": .copyright, "label": .label,
        "original_folder": .folder, "trashed_date": .trashedDate,
        "burst_identifier": .burst, "burst_selection_types": .burstPick,
        "represents_burst": .burstRepresentative,
    ]

    /// All properties that are stored in columns.
    static let properties = columns.map(\.value)

    /// Returns the properties to which these columns belong. The two columns of a property are
    /// always written together.
    static func properties(
        of values: [String: (any DatabaseValueConvertible)?]
    ) -> [JournalProperty] {
        columns.compactMap { name, property in values[name] == nil ? nil : property }
    }

    /// The columns of properties in SQL, for ``values(of:_:)``: two for each.
    static func names(of properties: [JournalProperty]) -> String {
        let names = columns.compactMap { name, property -> String? in
            guard properties.contains(property) else { return nil }
            // RETURNING gives the integer that SQLite stores for a real number without a fraction.
            let cast = property == .location ? "CAST(\(name) AS REAL)" : name
            return "\(cast), \(second[property] ?? "NULL")"
        }
        return names.isEmpty ? "NULL" : names.joined(separator: ", ")
    }

    private static let second: [JournalProperty: String] = [
        .captureDate: "creation_offset", .location: "CAST(longitude AS REAL)",
    ]

    /// Reads the values of properties from a row with the columns of ``names(of:)``.
    static func values(of properties: [JournalProperty], _ row: Row) throws -> [JournalValue] {
        try properties.enumerated().map { try value(of: $1, row, 2 * $0) }
    }

    /// Returns the values of properties of an asset, in the order of ``properties``; none if there
    /// is no asset with this row ID.
    static func read(
        _ properties: [JournalProperty], ofAsset id: Int64, _ database: Database
    ) throws -> [JournalValue] {
        if properties.isEmpty { return [] }
        let statement = try database.cachedStatement(
            sql: "SELECT \(names(of: properties)) FROM asset WHERE id = ?")
        return try statement.record([id]) { try values(of: properties, $0) } ?? []
    }

    private static func value(
        of property: JournalProperty, _ row: Row, _ index: Int
    ) throws -> JournalValue {
        switch property {
        case .captureDate:
            guard let date = try row.value(index, as: Int64?.self) else { return .empty }
            let offset = try row.value(index + 1, as: Int64?.self)
            return .text("\(date),\(offset.map { "\($0)" } ?? "")")
        case .location:
            guard let latitude = try row.value(index, as: Double?.self) else { return .empty }
            return .text("\(latitude),\(try row.value(index + 1, as: Double.self))")
        case .isFavorite, .isHidden, .burstRepresentative:
            return JournalValue(try row.value(index, as: Bool.self))
        case .burstPick:
            let types = try row.value(index, as: AssetBurstSelectionType.self)
            return JournalValue(types.contains(.userPick))
        case .rating, .trashedDate: return JournalValue(try row.value(index, as: Int64?.self))
        default: return JournalValue(try row.value(index, as: String?.self))
        }
    }

    /// Returns the values to store in the columns of a property; nil if it cannot have the value.
    /// Properties of bursts depend on other assets and are not restored here.
    static func stored(
        _ value: JournalValue, of property: JournalProperty
    ) -> [String: (any DatabaseValueConvertible)?]? {
        switch property {
        case .captureDate: return captureDate(value)
        case .location: return location(value)
        case .isFavorite: return flag(value).map { ["is_favorite": $0] }
        case .isHidden: return flag(value).map { ["is_hidden": $0] }
        case .rating:
            guard value.text == nil, (-1...5).contains(value.number ?? 0) else { return nil }
            return ["rating": value.number]
        case .title, .description, .creator, .copyright, .label:
            return value.number == nil ? [property.rawValue: value.text] : nil
        case .folder:
            guard value.number == nil, value.text.map(StoredValueLimits.isFolder) ?? true else {
                return nil
            }
            return ["original_folder": value.text]
        default: return nil
        }
    }

    private static func flag(_ value: JournalValue) -> Bool? {
        switch value {
        case .empty: false
        case .number(1): true
        default: nil
        }
    }

    private static func captureDate(
        _ value: JournalValue
    ) -> [String: (any DatabaseValueConvertible)?]? {
        if value == .empty { return ["creation_date": Int64?.none, "creation_offset": Int?.none] }
        let parts = value.text?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, let date = Int64(parts[0]), Date.storable.contains(date) else {
            return nil
        }
        let offset = Int(parts[1])
        guard offset != nil || parts[1].isEmpty,
            offset.map(StoredValueLimits.offset.contains) ?? true
        else { return nil }
        return ["creation_date": date, "creation_offset": offset]
    }

    private static func location(
        _ value: JournalValue
    ) -> [String: (any DatabaseValueConvertible)?]? {
        if value == .empty { return ["latitude": Double?.none, "longitude": Double?.none] }
        let parts = value.text?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
            Location(latitude: latitude, longitude: longitude) != nil
        else { return nil }
        return ["latitude": latitude, "longitude": longitude]
    }
}
