// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import GRDB

/// Compiles predicates to SQL. Every value becomes a statement argument.
///
/// Each condition evaluates to true or false and never to NULL, so `NOT` negates it.
struct PredicateCompiler {
    /// The statement arguments, in the order of their placeholders.
    private(set) var arguments: [DatabaseValue] = []
    /// Whether a condition reads rows instead of the columns of a suitable index.
    private(set) var readsRows = false
    /// Whether the predicate is selective. Then the index of media types, most of which are photos
    /// or videos, is not used.
    let isRare: Bool
    private var conditionCount = 0

    /// - Parameter predicates: The predicates to be compiled, all of which must be met.
    init(_ predicates: [AssetPredicate] = []) { isRare = predicates.contains(where: Self.isRare) }

    private static func isRare(_ predicate: AssetPredicate) -> Bool {
        switch predicate {
        case .and(let parts): parts.contains(where: isRare)
        case .isFavorite, .isHidden, .hasAdjustments: true
        default: false
        }
    }

    /// SQLite limits expressions to a depth of 1000, and lists of conditions add to it.
    static let maximumDepth = 40
    static let maximumCount = 5000
    /// The error message for a predicate above the limits.
    static let tooLarge =
        "the predicate is too large: at most \(maximumCount) conditions and \(maximumDepth) "
        + "levels; use a list for many values"

    /// Counts a condition.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if there are too many conditions or they are
    ///   nested too deeply.
    mutating func admit(depth: Int) throws {
        conditionCount += 1
        guard depth <= Self.maximumDepth, conditionCount <= Self.maximumCount else {
            throw LibraryError(.invalidRequest, Self.tooLarge)
        }
    }

    /// Returns the SQL of a predicate, in parentheses.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if it is too large for SQLite.
    mutating func sql(_ predicate: AssetPredicate, depth: Int = 0) throws -> String {
        try admit(depth: depth)
        if !Self.hasIndex(predicate) { readsRows = true }
        switch predicate {
        case .and(let parts):
            return Self.joined(try parts.map { try sql($0, depth: depth + 1) }[...], "AND", "1")
        case .or(let parts):
            return Self.joined(try parts.map { try sql($0, depth: depth + 1) }[...], "OR", "0")
        case .not(let part): return "(NOT \(try sql(part, depth: depth + 1)))"
        default: return "(\(condition(predicate)))"
        }
    }

    /// Whether an index in date order covers the condition.
    private static func hasIndex(_ predicate: AssetPredicate) -> Bool {
        switch predicate {
        case .and, .isFavorite, .isHidden, .hasAdjustments: true
        case .mediaType(let types): types.count == 1
        case .date(.clock, _): true
        // The indexed clock is within a day of the date, so a range of it can be searched.
        case .date(.creation, .between), .date(.creation, .equal): true
        case .text(let key, .equal): key == .adjustmentFormatIdentifier
        default: false
        }
    }

    /// Joins expressions as a balanced tree, which limits the depth.
    static func joined(_ parts: ArraySlice<String>, _ word: String, _ none: String)
        -> String
    {
        if parts.count <= 1 { return parts.first ?? "(\(none))" }
        let middle = parts.startIndex + parts.count / 2
        let first = joined(parts[..<middle], word, none)
        return "(\(first) \(word) \(joined(parts[middle...], word, none)))"
    }

    private mutating func condition(_ predicate: AssetPredicate) -> String {
        switch predicate {
        case .and, .or, .not: "0"
        case .isFavorite: "is_favorite = 1"
        case .isHidden: "is_hidden = 1"
        case .hasAdjustments: "asset.position IS NOT NULL"
        case .isInBurst: "burst_identifier IS NOT NULL"
        case .representsBurst: "represents_burst = 1"
        case .mediaType(let types) where types.count == 1:
            "\(isRare ? "+" : "")media_type = \(argument(types[0].rawValue))"
        case .mediaType(let types): list("media_type", types.map(\.rawValue))
        case .mediaSubtypes(let set): mask("media_subtypes", .allOf(set))
        case .mediaSubtypeMask(let test): mask("media_subtypes", test)
        case .burstSelectionTypes(let set): mask("burst_selection_types", .allOf(set))
        case .burstSelectionMask(let test): mask("burst_selection_types", test)
        case .sourceType(let set): "source_type & \(argument(set.rawValue)) <> 0"
        case .date(.clock, let test): date("sort_date", test)
        case .date(.creation, let test): moment(test)
        case .date(.file, let test): date("sort_file_date", test)
        case .date(let key, let test): value(key.column, test) { $0.microseconds }
        case .size(let key, let test): value(key.column, test) { $0 }
        case .duration(let test): value("duration", test) { $0 }
        case .text(let key, let test): text(key.column, test)
        case .keyword(let test): keyword(test)
        case .rating(let test): value("rating", test) { $0 }
        case .exposureTime(let test): value("exposure_time", test) { $0 }
        case .hasRAW: Self.hasRAW
        case .originalFormat(let formats): originalFormat(formats)
        case .originalHash(let hash): originalHash(hash)
        case .folder(let pattern): folder(pattern)
        case .isInAlbum:
            "EXISTS (SELECT 1 FROM album_member WHERE album_member.asset_id = asset.id)"
        case .editedBy(let identifier): edited(by: identifier)
        case .hasLocation: "latitude IS NOT NULL"
        case .near(let place, let metres): near(place, metres)
        case .inside(let area): inside(area)
        }
    }

    /// The condition must equal that of the partial index, word for word.
    private static let hasRAW = """
        asset.id IN (
            SELECT resource.asset_id FROM resource WHERE type = 4 OR format IN ('dng', 'raw'))
        """

    /// Compares the date of capture. The indexed clock, which is within a day of it, narrows the
    /// search.
    private mutating func moment(_ test: AssetPredicate.ValueTest<Date>) -> String {
        let day = 86_400.0
        let isNear =
            switch test {
            case .equal(let date):
                self.date("sort_date", .between(date - day, date + day)) + " AND "
            case .between(let low, let high):
                self.date("sort_date", .between(low - day, high + day)) + " AND "
            default: ""
            }
        return isNear + value("creation_date", test) { $0.microseconds }
    }

    mutating func argument(_ value: some DatabaseValueConvertible) -> String {
        arguments.append(value.databaseValue)
        return "?"
    }

    private mutating func mask<Mask: OptionSet>(
        _ column: String, _ test: AssetPredicate.MaskTest<Mask>
    ) -> String where Mask.RawValue == Int {
        switch test {
        case .allOf(let set):
            "\(column) & \(argument(set.rawValue)) = \(argument(set.rawValue))"
        case .anyOf(let set): "\(column) & \(argument(set.rawValue)) <> 0"
        case .noneOf(let set): "\(column) & \(argument(set.rawValue)) = 0"
        case .exactly(let set): "\(column) = \(argument(set.rawValue))"
        }
    }

    private mutating func list(
        _ column: String, _ values: [some DatabaseValueConvertible & Encodable]
    ) -> String {
        guard let json = try? JSONEncoder().encode(values) else { return "0" }
        let text = String(decoding: json, as: UTF8.self)
        return "\(column) IN (SELECT value FROM json_each(\(argument(text))))"
    }

    mutating func value<Value, Stored: DatabaseValueConvertible & Encodable>(
        _ column: String, _ test: AssetPredicate.ValueTest<Value>, _ stored: (Value) -> Stored
    ) -> String {
        let here = "\(column) IS NOT NULL AND \(column)"
        return switch test {
        case .equal(let value): compare(here, "=", stored(value))
        case .lessThan(let value): compare(here, "<", stored(value))
        case .atMost(let value): compare(here, "<=", stored(value))
        case .greaterThan(let value): compare(here, ">", stored(value))
        case .atLeast(let value): compare(here, ">=", stored(value))
        case .between(let low, let high):
            compare(here, ">=", stored(low)) + " AND " + compare(column, "<=", stored(high))
        case .oneOf(let values):
            "\(column) IS NOT NULL AND \(list(column, Self.finite(values.map(stored))))"
        case .missing: "\(column) IS NULL"
        }
    }

    /// Compares a date column that stores the maximum value for a missing date. This lets one index
    /// serve both sorting and searching.
    private mutating func date(
        _ column: String, _ test: AssetPredicate.ValueTest<Date>
    ) -> String {
        let isThere = "\(column) < \(Int64.max)"
        func stored(_ date: Date) -> Int64 { min(date.microseconds, .max - 1) }
        return switch test {
        case .equal(let date): compare(column, "=", stored(date))
        case .lessThan(let date): compare(column, "<", stored(date))
        case .atMost(let date): compare(column, "<=", stored(date))
        case .greaterThan(let date): "\(isThere) AND \(compare(column, ">", stored(date)))"
        case .atLeast(let date): "\(isThere) AND \(compare(column, ">=", stored(date)))"
        case .between(let low, let high):
            compare(column, ">=", stored(low)) + " AND " + compare(column, "<=", stored(high))
        case .oneOf(let dates): list(column, dates.map(stored))
        case .missing: "\(column) = \(Int64.max)"
        }
    }

    /// Compares a column with a value. SQLite stores NaN as NULL, which would make the comparison
    /// NULL.
    private mutating func compare(
        _ column: String, _ operation: String, _ value: some DatabaseValueConvertible
    ) -> String {
        if case .double(let number) = value.databaseValue.storage, number.isNaN { return "0" }
        return "\(column) \(operation) \(argument(value))"
    }

    /// Removes numbers that are not finite. JSON cannot represent them, and no asset has them.
    private static func finite<Stored: DatabaseValueConvertible>(_ values: [Stored]) -> [Stored] {
        var finite: [Stored] = []
        for value in values {
            if case .double(let number) = value.databaseValue.storage, !number.isFinite { continue }
            finite.append(value)
        }
        return finite
    }

    /// Whether SQLite can store the text: its strings end at a zero byte, so no asset has one that
    /// contains it.
    private static func isStorable(_ text: String) -> Bool { !text.utf8.contains(0) }

    mutating func text(_ column: String, _ test: AssetPredicate.TextTest) -> String {
        let here = "\(column) IS NOT NULL AND"
        switch test {
        case .equal(let text) where Self.isStorable(text):
            return "\(here) \(column) = \(argument(text))"
        case .beginsWith(let text) where Self.isStorable(text):
            return "\(here) text_begins(\(column), \(argument(text.lowercased())))"
        case .contains(let text) where Self.isStorable(text):
            return "\(here) text_contains(\(column), \(argument(text.lowercased())))"
        case .equal, .beginsWith, .contains: return "0"
        case .oneOf(let texts):
            return "\(here) \(list(column, texts.filter { Self.isStorable($0) }))"
        case .missing: return "\(column) IS NULL"
        }
    }

    private mutating func keyword(_ test: AssetPredicate.TextTest) -> String {
        if test == .missing {
            return "NOT EXISTS (SELECT 1 FROM keyword WHERE keyword.asset_id = asset.id)"
        }
        return """
            asset.id IN (
                SELECT keyword.asset_id FROM keyword WHERE \(text("keyword.text", test)))
            """
    }

    private mutating func originalFormat(_ formats: [MediaFormat]) -> String {
        """
        EXISTS (
            SELECT 1 FROM resource WHERE resource.asset_id = asset.id
                AND (is_primary = 1 OR type = \(AssetResourceType.alternatePhoto.rawValue))
                AND \(list("format", formats.map(\.rawValue))))
        """
    }

    /// Each half has an index.
    private mutating func originalHash(_ hash: SHA256Digest) -> String {
        """
        asset.id IN (
            SELECT resource.asset_id FROM resource
            WHERE (blob_hash = \(argument(hash.hex)) AND is_primary = 1)
                OR (content_hash = \(argument(hash.hex)) AND is_primary = 1))
        """
    }

    private mutating func folder(_ pattern: String) -> String {
        guard Self.isStorable(pattern), pattern.utf8.count <= StoredValueLimits.path else {
            return "0"
        }
        return "original_folder IS NOT NULL AND is_in_folder(original_folder, \(argument(pattern)))"
    }

    private mutating func edited(by identifier: String) -> String {
        guard Self.isStorable(identifier) else { return "0" }
        return """
            adjustment_format IS NOT NULL AND EXISTS (
                WITH RECURSIVE chain (id) AS (
                    SELECT tip_id FROM state
                    WHERE state.asset_id = asset.id AND state.position = asset.position
                    UNION ALL
                    SELECT parent_id FROM edit JOIN chain ON edit.id = chain.id
                    WHERE parent_id IS NOT NULL)
                SELECT 1 FROM chain JOIN edit ON edit.id = chain.id
                WHERE edit.is_enabled AND edit.extension_identifier = \(argument(identifier)))
            """
    }

    private mutating func near(_ place: Location, _ metres: Double) -> String {
        guard metres >= 0 else { return "0" }
        // Slightly more than the distance in degrees, so that rounding does not exclude a match.
        let reach = metres / 111_000 + 1e-6
        return """
            latitude IS NOT NULL AND latitude >= \(argument(place.latitude - reach)) \
            AND latitude <= \(argument(place.latitude + reach)) \
            AND distance(latitude, longitude, \(argument(place.latitude)), \
            \(argument(place.longitude))) <= \(argument(metres))
            """
    }

    private mutating func inside(_ area: GeographicArea) -> String {
        let latitudes =
            "latitude IS NOT NULL AND latitude >= \(argument(area.south)) "
            + "AND latitude <= \(argument(area.north))"
        let word = area.west <= area.east ? "AND" : "OR"
        return latitudes
            + " AND (longitude >= \(argument(area.west)) \(word) longitude <= \(argument(area.east)))"
    }
}
