// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Library

/// The rows that a fetch reads, and when.
@Suite("fetch results")
struct FetchResultTests {
    private struct NoRows: Error {}

    /// The statements that a library's single connection runs, as reported by SQLite.
    private final class StatementLog: Sendable {
        let library: PhotoLibrary
        private let statements = Mutex<[String]>([])

        /// Opens the library read-only, with one connection.
        init(_ temporary: TemporaryLibrary) throws {
            var options = PhotoLibrary.Options()
            options.isReadOnly = true
            library = try temporary.reopen(options)
            try library.read { database in
                database.trace { [weak self] event in
                    guard case .statement(let statement) = event else { return }
                    self?.statements.withLock { $0.append(statement.expandedSQL) }
                }
            }
        }

        /// The selections from the asset table since the last call.
        func takeSelections() -> [String] {
            statements.withLock { statements in
                defer { statements = [] }
                return statements.filter { $0.contains("FROM asset") }
            }
        }

        /// The number of asset rows that these selections read; they list each identifier.
        static func rows(_ selections: [String]) -> Int {
            selections.flatMap { $0.matches(of: #/json_each\('\[([0-9,]+)\]'\)/#) }
                .map { $0.output.1.split(separator: ",").count }.reduce(0, +)
        }
    }

    @Test("F-13 opening reads nothing, positions read identifiers, access reads nearby rows")
    func laziness() throws {
        let generated = try GeneratedLibrary(10_000, seed: 3)
        let log = try StatementLog(generated.temporary)
        let result = try Asset.fetchAssets(in: log.library, options: .everything)
        #expect(log.takeSelections() == [])

        #expect(result.count == 10_000)
        let first = log.takeSelections()
        #expect(first.count == 1)
        #expect(first.allSatisfy { $0.hasPrefix("SELECT asset.id FROM asset") })
        guard case .fetched(let objects) = result.storage else { throw NoRows() }
        let list = try objects.moment().list
        #expect(list.count == 10_000 && list.byteCount <= 16 * 10_000)
        #expect(result[result.count - 1].id == result.lastObject?.id)
        #expect(StatementLog.rows(log.takeSelections()) == 100)

        // Reading the first hundred objects serially takes one statement for a hundred rows.
        for position in 0..<100 { #expect(!result[position].isRemoved) }
        let hundred = log.takeSelections()
        #expect(hundred.count == 1 && StatementLog.rows(hundred) == 100)
        #expect(result.count == 10_000 && result.firstObject?.id == result[0].id)
        #expect(log.takeSelections() == [])
        #expect(try result.index(ofIdentifier: result[42].id) == 42)
        #expect(result.contains(result[42]))
        #expect(StatementLog.rows(log.takeSelections()) == 0)
        #expect(try objects.moment().list.byteCount <= 16 * 10_000)

        // A full iteration reads each row once, with one statement per 100 rows.
        let ids = try result.localIdentifiers()
        _ = log.takeSelections()
        #expect(result.map(\.id) == ids)
        let all = log.takeSelections()
        #expect(all.count <= 100 && StatementLog.rows(all) <= 10_000)
        #expect(result.failure == nil)
    }

    @Test("the number of cached objects is bounded")
    func bounded() throws {
        let generated = try GeneratedLibrary(3000, seed: 4)
        let log = try StatementLog(generated.temporary)
        let result = try Asset.fetchAssets(in: log.library, options: .everything)
        for position in stride(from: 0, to: 3000, by: 100) { _ = result[position] }
        _ = log.takeSelections()
        // The 16 most recently used groups of a hundred are cached.
        for position in stride(from: 2900, through: 1400, by: -100) { _ = result[position] }
        #expect(log.takeSelections() == [])
        _ = result[1300]
        #expect(log.takeSelections().count == 1)
    }

    @Test("F-13 index, count, iteration and contains match a plain array")
    func collection() throws {
        let generated = try GeneratedLibrary(250, seed: 5)
        var options = FetchOptions.everything
        options.sortDescriptors = []
        let result = try Asset.fetchAssets(in: generated.library, options: options)
        let plain = try generated.assets()
        #expect(Array(result) == plain)
        #expect(result.count == 250 && result.indices == 0..<250)
        for position in [0, 99, 100, 199, 200, 249] {
            #expect(result[position] == plain[position])
            #expect(try result.object(at: position) == plain[position])
        }
        #expect(result.firstObject == plain.first && result.lastObject == plain.last)
        #expect(result.reversed().map(\.id) == plain.reversed().map(\.id))
        #expect(Array(result[95..<105]) == Array(plain[95..<105]))
        #expect(try result.object(at: -1) == nil && result.object(at: 250) == nil)
        #expect(plain.allSatisfy { result.contains($0) })
        let other = try GeneratedLibrary(1, seed: 6).assets()[0]
        #expect(!result.contains(other))
        #expect(try result.index(ofIdentifier: "nonsense") == nil)
        var places: [Int] = []
        try result.enumerateObjects { asset, place in
            #expect(asset == plain[place])
            places.append(place)
        }
        #expect(places == Array(0..<250))
    }

    @Test("F-13 A-02 a result keeps its order and positions when the library changes")
    func changes() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let assets = try (0..<250).map { try library.importAsset("\($0)") }
        let result = try Asset.fetchAssets(in: library)
        let ids = try result.localIdentifiers()
        let seen = result[7]
        let others = [assets[7], assets[120], assets[249]]
        try library.performChanges { try AssetChangeRequest.removeAssets(others) }
        try library.importAsset("new")
        try library.performChanges { try AssetChangeRequest(for: assets[0]).isHidden = true }
        try library.performChanges { try AssetChangeRequest(for: assets[130]).isFavorite = true }

        #expect(result.count == 250)
        #expect(result.map(\.id) == ids)
        // Objects read before their deletion keep their values; others have only an identifier.
        #expect(result[7] == seen && !result[7].isRemoved)
        for place in [120, 249] {
            #expect(result[place].isRemoved && result[place].id == ids[place])
            #expect(try result.object(at: place) == nil)
        }
        #expect(!result[0].isHidden, "it is kept as it was read")
        #expect(result[130].isFavorite, "it is as the library had it when it was read")
        var count = 0
        try result.enumerateObjects { asset, _ in
            #expect(!asset.isRemoved)
            count += 1
        }
        #expect(count == 248)
        #expect(result.failure == nil)
        let error = try libraryError {
            try library.performChanges { try AssetChangeRequest(for: result[120]).isHidden = true }
        }
        #expect(error.code == .noSuchAsset)
        #expect(try Asset.fetchAssets(in: library).count == 247)
    }

    @Test("a deleted asset is not confused with a later one")
    func noReusedRow() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let asset = try library.importAsset("old")
        let result = try Asset.fetchAssets(in: library)
        try result.load()
        try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        let new = try library.importAsset("new")
        #expect(try library.read { try Int.fetchAll($0, sql: "SELECT id FROM asset") } == [2])
        #expect(result[0].id == asset.id && result[0].isRemoved)
        #expect(!result.contains(new))
    }

    @Test("read failures are reported and never trap")
    func failures() throws {
        let generated = try GeneratedLibrary(150, seed: 7)
        let library = try generated.temporary.reopen()
        let loaded = try Asset.fetchAssets(in: library, options: .everything)
        let unloaded = try Asset.fetchAssets(in: library, options: .everything)
        #expect(loaded.count == 150 && loaded.failure == nil)
        try library.close()

        #expect(loaded.map(\.isRemoved) == Array(repeating: true, count: 150))
        #expect(loaded.failure?.code == .database)
        #expect(try libraryError { _ = try loaded.object(at: 0) }.code == .database)
        #expect(try libraryError { try loaded.enumerateObjects { _, _ in } }.code == .database)
        #expect(unloaded.isEmpty && unloaded.firstObject == nil)
        #expect(unloaded.failure?.code == .database)
        #expect(try libraryError { try unloaded.load() }.code == .database)
        #expect(!unloaded.contains(loaded[0]))
    }

    @Test("many threads use one result")
    func threads() async throws {
        let generated = try GeneratedLibrary(2500, seed: 9)
        let result = try Asset.fetchAssets(in: generated.library, options: .everything)
        let ids = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { result.map(\.id) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(ids).count == 1 && ids.first?.count == 2500)
    }

    private static let indexed: [(AssetPredicate, String)] = {
        let start = GeneratedLibrary.start
        let area = GeographicArea(south: 10, west: 20, north: 11, east: 21)
            .map(AssetPredicate.inside)
        return [
            (.date(.creation, .between(start, start + 86400)), "asset_listed"),
            (.isFavorite, "asset_favorite"), (.isHidden, "asset_hidden"),
            (.hasAdjustments, "asset_edited"), (.mediaType([.video]), "asset_media_type"),
            (.and([.isFavorite, .mediaType([.image])]), "asset_favorite"),
            (area ?? .isInBurst, "asset_latitude"),
            (.date(.added, .lessThan(start + 1)), "asset_added_date"),
            (.text(.burstIdentifier, .equal("burst 3")), "asset_burst"),
            (.text(.adjustmentFormatIdentifier, .equal("x")), "asset_format"),
            (.text(.localIdentifier, .oneOf(["a", "b"])), "sqlite_autoindex_asset_1"),
            (.originalHash(GeneratedLibrary.hash(7)), "resource_referenced_content"),
            (.originalHash(GeneratedLibrary.hash(7)), "resource_content"),
        ]
    }()

    /// SQLite's query plan.
    private func plan(_ sql: String, of query: AssetQuery, in library: PhotoLibrary) throws
        -> [String]
    {
        try library.read { database in
            try Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: query.arguments
            ).map { $0["detail"] as String }
        }
    }

    @Test("F-12 at 10,000 assets indexed queries use their index without a scan")
    func plans() throws {
        let generated = try GeneratedLibrary(10_000, seed: 10)
        for (predicate, index) in Self.indexed {
            var options = FetchOptions()
            options.predicate = predicate
            options.includeHiddenAssets = predicate == .isHidden
            let query = try AssetQuery(options)
            for sql in [query.identifiers, query.count] {
                let plan = try plan(sql, of: query, in: generated.library)
                #expect(
                    plan.contains { $0.contains(" USING ") && $0.contains("INDEX \(index)") },
                    "\(index) \(plan)")
                #expect(!plan.contains("SCAN asset"), "\(plan)")
            }
        }
        try firstHundred(in: generated.library)
        try everything(in: generated.library)
        // Conditions without an index scan the table in row order, not by date.
        var options = FetchOptions()
        options.predicate = .size(.pixelWidth, .atLeast(300))
        let query = try AssetQuery(options)
        let plan = try plan(query.identifiers, of: query, in: generated.library)
        #expect(plan.contains("SCAN asset"), "\(plan)")
        // The same holds if hidden assets are included, unless a better index exists.
        options.predicate = .mediaType([.video])
        options.includeHiddenAssets = true
        let hidden = try AssetQuery(options)
        let other = try self.plan(hidden.identifiers, of: hidden, in: generated.library)
        #expect(!other.contains { $0.contains("asset_creation_date") }, "\(other)")
    }

    /// Fetching and counting all assets outside the trash, and those in it, reads indexes only.
    private func everything(in library: PhotoLibrary) throws {
        let all = try AssetQuery(.everything)
        for sql in [all.identifiers, all.count] {
            let plan = try plan(sql, of: all, in: library)
            #expect(plan.count == 1, "\(plan)")
            #expect(plan[0].hasSuffix("INDEX asset_creation_date (trashed_date=?)"), "\(plan)")
        }
        var favorites = FetchOptions.everything
        favorites.predicate = .isFavorite
        let rare = try AssetQuery(favorites)
        let favoritePlan = try plan(rare.identifiers, of: rare, in: library)
        #expect(favoritePlan.first == "SCAN asset USING INDEX asset_favorite", "\(favoritePlan)")
        var options = FetchOptions.everything
        options.includeTrashedAssets = true
        options.predicate = .date(.trashed, .atLeast(.distantPast))
        let trash = try AssetQuery(options)
        let plan = try plan(trash.count, of: trash, in: library)
        #expect(plan.allSatisfy { $0.contains("COVERING INDEX asset_trashed") }, "\(plan)")
    }

    /// Fetching the first hundred in the usual order does not sort all assets.
    private func firstHundred(in library: PhotoLibrary) throws {
        var options = FetchOptions()
        options.fetchLimit = 100
        for isAscending in [true, false] {
            options.sortDescriptors = [AssetSortDescriptor(.creationDate, isAscending: isAscending)]
            let query = try AssetQuery(options)
            let plan = try plan(query.identifiers, of: query, in: library)
            #expect(plan == ["SEARCH asset USING INDEX asset_listed (is_listed=?)"])
            #expect(!plan.contains { $0 == "USE TEMP B-TREE FOR ORDER BY" }, "\(plan)")
            #expect(try Asset.fetchAssets(in: library, options: options).count == 100)
        }
    }
}
