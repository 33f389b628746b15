// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import Library

@Suite struct ContentChangeBatchTests {
    private struct Refusal: Error {}

    private let temporary: TemporaryLibrary
    private let assets: [Asset]
    private var library: PhotoLibrary { temporary.library }

    init() throws {
        temporary = try TemporaryLibrary()
        let library = temporary.library
        assets = try (0..<4).map { number in
            let asset = try library.importAsset("photo \(number)")
            return try library.edit(asset.id, recipe: "sepia", render: "sepia \(number)")
        }
    }

    private func histories() throws -> [AssetHistory] {
        try assets.map { try library.history(ofAsset: $0.id) }
    }

    @Test("a batch is one change, and returns the outcomes in order")
    func order() async throws {
        let before = try library.currentChangeToken
        let batch = ContentChangeBatch<BatchedItem, AssetHistory> { $1 }
        for (asset, steps) in zip(assets.reversed(), [-1, 0, -1, -1]) {
            // An item without a change has no outcome.
            let change = AssetContentChange.move(asset, by: steps, rendered: nil)
            batch.append(BatchedItem(contentChange: steps == 0 ? nil : change))
        }
        let found = try await batch.commit(in: library)
        let after = try histories()
        #expect(found == [after[3], after[1], after[0]])
        #expect(after.map(\.position) == [0, 0, 1, 0])
        #expect(try library.currentChangeToken.number == before.number + 1)
        let change = try #require(try library.fetchPersistentChanges(since: before).first)
        #expect(Set(change.items.map(\.identifier)) == [assets[0].id, assets[1].id, assets[3].id])
    }

    @Test("an empty batch is no change")
    func empty() async throws {
        let before = try library.currentChangeToken
        let batch = ContentChangeBatch<BatchedItem, AssetHistory> { $1 }
        #expect(try await batch.commit(in: library).isEmpty)
        #expect(try library.currentChangeToken == before)
    }

    @Test("an item is released when it has been executed")
    func release() async throws {
        let releasedCount = Mutex(0)
        let batch = ContentChangeBatch<BatchedItem, Int> { _, _ in releasedCount.withLock { $0 } }
        for asset in assets {
            let payload = BatchedItem.Payload { releasedCount.withLock { $0 += 1 } }
            batch.append(BatchedItem(contentChange: .revert(asset), payload: payload))
        }
        #expect(try await batch.commit(in: library) == [0, 1, 2, 3])
        #expect(releasedCount.withLock { $0 } == 4)
    }

    @Test("an error of an outcome rolls all changes back", arguments: [0, 2, 3])
    func throwingOutcome(failing: Int) async throws {
        let before = try histories()
        let token = try library.currentChangeToken
        let identifier = assets[failing].id
        let batch = ContentChangeBatch<BatchedItem, AssetHistory> { _, history in
            if history.asset.id == identifier { throw Refusal() }
            return history
        }
        for asset in assets { batch.append(BatchedItem(contentChange: .revert(asset))) }
        await #expect(throws: Refusal.self) { try await batch.commit(in: library) }
        #expect(try histories() == before)
        #expect(try library.currentChangeToken == token)
    }

    @Test("one conflict rolls all changes back, and names the asset", arguments: [0, 2, 3])
    func conflict(failing: Int) async throws {
        let batch = ContentChangeBatch<BatchedItem, AssetHistory> { $1 }
        for asset in assets {
            batch.append(BatchedItem(contentChange: .move(asset, by: -1, rendered: nil)))
        }
        try library.edit(assets[failing].id, recipe: "tint", render: "tint")
        let before = try histories()
        let token = try library.currentChangeToken
        let error = try await #require(throws: LibraryError.self) {
            try await batch.commit(in: library)
        }
        #expect(error.code == .conflict && error.assetIdentifier == assets[failing].id)
        #expect(try histories() == before)
        #expect(try library.currentChangeToken == token)
    }
}
