// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GRDB

// Albums and folders are rows, which SQLite selects and sorts. Smart albums and moments are not
// stored, so they are selected and sorted in memory by the same rules.

extension CollectionFetchOptions {
    /// Returns the terms of the order. The last one is the row ID, which makes it total.
    ///
    /// - Parameter own: The default order of the fetch.
    func terms(own: [String]) -> [SortTerm] {
        guard let sortDescriptors else {
            return own.map { SortTerm(column: $0, isAscending: true) }
        }
        let isAscending = sortDescriptors.first?.isAscending ?? true
        return sortDescriptors.compactMap(\.term) + [
            SortTerm(column: "id", isAscending: isAscending)
        ]
    }

    /// Selects and sorts collections of which some are not rows.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` if the predicate is too large.
    func selected(_ collections: [AssetCollection]) throws -> [AssetCollection] {
        var found = collections
        if let predicate {
            // Predicates have the same limits as in SQL.
            var compiler = PredicateCompiler()
            _ = try compiler.sql(predicate)
            found = found.filter(predicate.isMet)
        }
        if let sortDescriptors { found = Self.sorted(found, by: sortDescriptors) }
        return fetchLimit > 0 ? Array(found.prefix(fetchLimit)) : found
    }

    private static func sorted(
        _ collections: [AssetCollection], by descriptors: [CollectionSortDescriptor]
    ) -> [AssetCollection] {
        let isAscending = descriptors.first?.isAscending ?? true
        return collections.enumerated().sorted { first, second in
            for descriptor in descriptors {
                if descriptor.isBefore(first.element, second.element) { return true }
                if descriptor.isBefore(second.element, first.element) { return false }
            }
            return (first.offset < second.offset) == isAscending && first.offset != second.offset
        }.map(\.element)
    }
}

extension CollectionSortDescriptor {
    fileprivate func isBefore(_ first: AssetCollection, _ second: AssetCollection) -> Bool {
        switch key {
        case .localizedTitle:
            isBefore(Self.folded(first), Self.folded(second)) {
                $0.lexicographicallyPrecedes($1)
            }
        case .startDate: isBefore(first.startDate, second.startDate, by: <)
        case .endDate: isBefore(first.endDate, second.endDate, by: <)
        case .estimatedAssetCount:
            isBefore(first.estimatedAssetCount, second.estimatedAssetCount, by: <)
        }
    }

    private func isBefore<Value>(
        _ first: Value?, _ second: Value?, by isLess: (Value, Value) -> Bool
    ) -> Bool {
        let (low, high) = isAscending ? (first, second) : (second, first)
        guard let low else { return false }
        return high.map { isLess(low, $0) } ?? true
    }

    /// Returns a title folded as SQLite's `NOCASE` does.
    private static func folded(_ collection: AssetCollection) -> [UInt8]? {
        collection.localizedTitle.map { title in
            title.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        }
    }
}

extension CollectionPredicate {
    fileprivate func isMet(by collection: AssetCollection) -> Bool {
        switch self {
        case .and(let parts): parts.allSatisfy { $0.isMet(by: collection) }
        case .or(let parts): parts.contains { $0.isMet(by: collection) }
        case .not(let part): !part.isMet(by: collection)
        case .text(.localIdentifier, let test): test.isMet(by: collection.localIdentifier)
        case .text(.localizedTitle, let test): test.isMet(by: collection.localizedTitle)
        case .date(.startDate, let test):
            test.isMet(by: collection.startDate?.microseconds) { $0.microseconds }
        case .date(.endDate, let test):
            test.isMet(by: collection.endDate?.microseconds) { $0.microseconds }
        case .estimatedAssetCount(let test):
            test.isMet(by: collection.estimatedAssetCount) { $0 }
        }
    }
}

extension AssetPredicate.ValueTest {
    /// Whether a value passes the comparison.
    fileprivate func isMet<Stored: Comparable>(
        by value: Stored?, _ stored: (Value) -> Stored
    ) -> Bool {
        guard let value else { return self == .missing }
        return switch self {
        case .equal(let other): value == stored(other)
        case .lessThan(let other): value < stored(other)
        case .atMost(let other): value <= stored(other)
        case .greaterThan(let other): value > stored(other)
        case .atLeast(let other): value >= stored(other)
        case .between(let low, let high): stored(low) <= value && value <= stored(high)
        case .oneOf(let others): others.contains { stored($0) == value }
        case .missing: false
        }
    }
}

extension AssetPredicate.TextTest {
    /// Whether a text passes the comparison.
    fileprivate func isMet(by text: String?) -> Bool {
        guard let text else { return self == .missing }
        return switch self {
        case .equal(let other): text.utf8.elementsEqual(other.utf8)
        case .oneOf(let others): others.contains { text.utf8.elementsEqual($0.utf8) }
        case .beginsWith(let part): SearchFunctions.begins(text, part.lowercased())
        case .contains(let part): SearchFunctions.contains(text, part.lowercased())
        case .missing: false
        }
    }
}
