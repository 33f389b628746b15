// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import Library

/// The change details that fetch results receive.
@Suite("change details of fetch results")
struct ResultDetailsTests {
    /// Fetches whose results are held while the library changes.
    static let fetches: [FetchOptions] = {
        func options(_ change: (inout FetchOptions) -> Void) -> FetchOptions {
            var options = FetchOptions()
            change(&options)
            return options
        }
        return [
            FetchOptions(),
            options { $0.predicate = .isFavorite },
            options {
                $0.sortDescriptors = [AssetSortDescriptor(.modificationDate, isAscending: false)]
            },
            options {
                $0.sortDescriptors = [
                    AssetSortDescriptor(.originalFilename), AssetSortDescriptor(.isFavorite),
                ]
                $0.includeHiddenAssets = true
                $0.includeAllBurstAssets = true
            },
            options {
                $0.sortDescriptors = [AssetSortDescriptor(.pixelWidth, isAscending: false)]
                $0.predicate = .not(.date(.creation, .missing))
            },
            options { $0.fetchLimit = 5 },
            options {
                $0.includeTrashedAssets = true
                $0.predicate = .date(.trashed, .atLeast(.distantPast))
                $0.sortDescriptors = [AssetSortDescriptor(.trashedDate, isAscending: false)]
            },
            options { $0.predicate = .not(.keyword(.equal("beach"))) },
            options {
                $0.predicate = .or([.representsBurst, .text(.burstIdentifier, .equal("burst 1"))])
                $0.includeAllBurstAssets = true
            },
            options {
                $0.predicate = Location(latitude: 10, longitude: 20).map {
                    .near($0, metres: 1000)
                }
            },
        ]
    }()

    /// The latest change.
    private func change(_ library: PhotoLibrary) throws -> Change {
        let last = try #require(
            try library.fetchPersistentChanges(since: library.oldestChangeToken).last)
        return Change(persistentChange: last, library: library)
    }

    /// Compares details with a fresh fetch. Returns the result to hold next.
    private func verify(
        _ details: FetchResultChangeDetails<Asset>, _ options: FetchOptions,
        _ library: PhotoLibrary, changed: Set<String>
    ) throws -> FetchResult<Asset> {
        let fresh = try Asset.fetchAssets(in: library, options: options).localIdentifiers()
        let after = details.fetchResultAfterChanges
        #expect(try after.localIdentifiers() == fresh)
        #expect(details.hasIncrementalChanges)
        #expect(try details.applied() == fresh)
        let before = Set(try details.fetchResultBeforeChanges.localIdentifiers())
        #expect(
            Set(details.changedObjects.map(\.id))
                == before.intersection(fresh).intersection(changed))
        #expect(details.changedIndexes?.map { fresh[$0] } == details.changedObjects.map(\.id))
        #expect(details.insertedObjects.allSatisfy { !before.contains($0.id) })
        #expect(details.removedObjects.allSatisfy { !fresh.contains($0.id) })
        return after
    }

    @Test(
        "O-10 O-12 O-13 O-14 O-15 K-22 details rebuild a fresh fetch in 1,000 random sequences",
        arguments: 0..<10)
    func randomChanges(number: UInt64) throws {
        let seed = TestSeed.seed(usually: 1000) &+ number
        let memory = try MemoryLibrary()
        let library = memory.library
        var changes = RandomChanges(library, seed: seed)
        for _ in 0..<5 { try changes.commit() }
        var held = try Self.fetches.map { try Asset.fetchAssets(in: library, options: $0) }
        var moves = 0
        for _ in 0..<100 {
            for result in held { try result.load() }
            let token = try library.currentChangeToken
            for _ in 0..<Int.random(in: 1...3, using: &changes.random) { try changes.commit() }
            let change = try change(library)
            let changed = try library.fetchPersistentChanges(since: token)
                .reduce(into: Set<String>()) { $0.formUnion($1.items.map(\.identifier)) }
            for (index, options) in Self.fetches.enumerated() {
                let details = try change.changeDetails(for: held[index])
                guard let details else {
                    let fresh = try Asset.fetchAssets(in: library, options: options)
                    #expect(try held[index].localIdentifiers() == fresh.localIdentifiers())
                    continue
                }
                held[index] = try verify(details, options, library, changed: changed)
                moves += details.hasMoves ? 1 : 0
            }
        }
        #expect(moves > 20, "the changes moved hardly anything, seed \(seed)")
    }

    @Test("O-09 O-16 a change of non-members has no details")
    func unconcerned() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let first = try library.importAsset("first")
        let second = try library.importAsset("second")
        let result = try Asset.fetchAssets(withLocalIdentifiers: [first.id], in: library)
        let all = try Asset.fetchAssets(in: library)
        try result.load()
        try all.load()
        try library.performChanges { try AssetChangeRequest(for: second).isFavorite = true }
        let change = try change(library)
        #expect(try change.changeDetails(for: result) == nil)
        let details = try #require(try change.changeDetails(for: all))
        #expect(details.removedIndexes == [] && details.insertedIndexes == [])
        #expect(details.changedIndexes == [1] && !details.hasMoves)
        #expect(details.changedObjects.first?.isFavorite == true)
        // A change that is already part of the result has no new details for it.
        #expect(try change.changeDetails(for: details.fetchResultAfterChanges) == nil)
    }

    @Test("O-11 O-16 a gap in the history makes details non-incremental")
    func gap() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let result = try Asset.fetchAssets(in: library)
        try result.load()
        try library.importAsset("first")
        try library.importAsset("second")
        let change = try change(library)
        try library.forgetChanges(before: .distantFuture)
        let details = try #require(try change.changeDetails(for: result))
        #expect(!details.hasIncrementalChanges && !details.hasMoves)
        #expect(details.removedIndexes == nil && details.insertedIndexes == nil)
        #expect(details.changedIndexes == nil && details.insertedObjects.isEmpty)
        #expect(details.fetchResultAfterChanges.count == 2)
        // From here on, changes are incremental again.
        let token = try library.currentChangeToken
        try library.performChanges {
            try AssetChangeRequest.removeAssets([details.fetchResultAfterChanges[0]])
        }
        let next = try #require(try library.fetchPersistentChanges(since: token).first)
        let second = try #require(
            try Change(persistentChange: next, library: library)
                .changeDetails(for: details.fetchResultAfterChanges))
        #expect(second.removedIndexes == [0] && second.fetchResultAfterChanges.count == 1)
    }

    @Test("O-11 details over the limit, or if not wanted, are non-incremental")
    func limit() throws {
        let memory = try MemoryLibrary()
        let library = memory.library
        let plain = try Asset.fetchAssets(in: library)
        var options = FetchOptions()
        options.wantsIncrementalChangeDetails = false
        let unwanted = try Asset.fetchAssets(in: library, options: options)
        try plain.load()
        try unwanted.load()
        #expect(FetchResultChangeDetails<Asset>.incrementalLimit == 10_000)
        func insert(_ count: Int) throws {
            try library.performChanges {
                for _ in 0..<count {
                    let request = try AssetCreationRequest(mediaType: .image)
                    try request.addResource(
                        .photo, url: "https://example.org/\(UUID())", filename: "a",
                        facts: .sample())
                }
            }
        }
        try insert(10_000)
        let exact = try #require(try change(library).changeDetails(for: plain))
        #expect(exact.insertedIndexes == IndexSet(0..<10_000))
        let whole = try #require(try change(library).changeDetails(for: unwanted))
        #expect(!whole.hasIncrementalChanges && whole.fetchResultAfterChanges.count == 10_000)
        try insert(1)
        let tooMuch = try #require(try change(library).changeDetails(for: plain))
        #expect(!tooMuch.hasIncrementalChanges)
        #expect(tooMuch.fetchResultAfterChanges.count == 10_001)
    }
}
