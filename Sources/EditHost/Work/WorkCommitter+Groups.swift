// SPDX-License-Identifier: Apache-2.0

import Library

extension WorkCommitter {
    /// Commits the staged results as one change, and records the results that were skipped.
    mutating func commitGroup() async throws {
        let items = group
        group = []
        if !items.isEmpty {
            do {
                try commit(items)
                try finish(items)
            } catch let error as LibraryError where Self.isGone(error) {
                // One of the assets or edits was deleted in the meantime.
                for item in items { try commitAlone(item) }
            }
        }
        let results = skipped
        skipped = []
        for (shard, results) in Dictionary(grouping: results, by: \.place.shard) {
            recordIfPossible(results.map { $0.place.commitment($0.status) }, shard)
            for result in results { removeFiles(result.files, of: result.place) }
        }
    }

    private mutating func commitAlone(_ item: Item) throws {
        do {
            try commit([item])
            try finish([item])
        } catch let error as LibraryError where Self.isGone(error) {
            summary.deleted += 1
            try report(.left(asset: item.asset.localIdentifier, .deleted))
            skipped.append(Skipped(place: item.place, status: .deleted))
        }
    }

    private func commit(_ items: [Item]) throws {
        try library.performChanges {
            for item in items {
                let request = try AssetChangeRequest(for: item.asset)
                for content in item.contents {
                    try request.replaceRendition(
                        content.rendered, kind: content.kind, ofEdit: content.edit)
                }
            }
        }
    }

    /// Reports results that are durable, records them, and removes their files from the work folder.
    private mutating func finish(_ items: [Item]) throws {
        summary.committed += items.count
        try report(.committed(assets: items.map(\.asset.localIdentifier)))
        for (shard, items) in Dictionary(grouping: items, by: \.place.shard) {
            recordIfPossible(items.map { $0.place.commitment(.committed) }, shard)
            for item in items { removeFiles(item.files, of: item.place) }
        }
    }

    /// Records results. A failure is thrown by ``run()`` at its end. Until then, files are still removed, because the
    /// folder's disk may be full.
    mutating func recordIfPossible(_ lines: [WorkCommitment], _ shard: Int) {
        do {
            try record(lines, shard)
        } catch {
            recordFailure = recordFailure ?? error
        }
    }

    private static func isGone(_ error: LibraryError) -> Bool {
        error.code == .noSuchAsset || error.code == .noSuchEdit
    }
}
