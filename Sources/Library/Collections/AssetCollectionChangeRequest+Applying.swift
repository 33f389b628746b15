// SPDX-License-Identifier: Apache-2.0

extension AssetCollectionChangeRequest: ChangeRequest {
    func describe(in summary: inout ChangeSummary) {
        if placeholderForCreatedAssetCollection != nil {
            summary.insertedCollections.append(collectionIdentifier)
        } else {
            summary.addUpdatedCollection(collectionIdentifier)
        }
    }

    func apply(with executor: ChangeExecutor) throws {
        var steps = steps[...]
        if case .create(let title, let folder) = steps.first {
            try executor.collections.insert(.album, collectionIdentifier, title, in: folder)
            steps.removeFirst()
        }
        let row = try executor.collections.row(.album, collectionIdentifier)
        for step in steps {
            if case .title(let title) = step {
                try executor.collections.setTitle(title, of: row)
            } else {
                try apply(step, to: executor.album(row))
            }
        }
    }

    private func apply(_ step: Step, to album: AlbumContents) throws {
        switch step {
        case .create, .title: break
        case .add(let assets): try album.add(assets)
        case .insert(let assets, let indexes):
            try album.insert(assets, at: indexes)
        case .remove(let assets): try album.remove(assets)
        case .removeAt(let indexes): try album.remove(at: indexes)
        case .replace(let indexes, let assets):
            try album.replace(at: indexes, with: assets)
        case .move(let indexes, let destination):
            try album.move(at: indexes, to: destination)
        case .place(let assets, let position):
            try album.move(assets, to: position)
        case .cover(let asset): try album.setCover(asset)
        }
    }
}

/// Asks for albums or folders to be deleted.
struct CollectionDeletionRequest: ChangeRequest {
    let kind: CollectionKind
    let identifiers: [String]

    func describe(in summary: inout ChangeSummary) {
        summary.removedCollections += identifiers
    }

    func apply(with executor: ChangeExecutor) throws {
        let rows = try identifiers.map { try executor.collections.row(kind, $0) }
        for row in rows { try executor.collections.delete(row) }
    }
}
