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
            try executor.insertCollection(.album, collectionIdentifier, title, in: folder)
            steps.removeFirst()
        }
        let album = try executor.collection(.album, collectionIdentifier)
        for step in steps { try apply(step, to: album, with: executor) }
    }

    private func apply(_ step: Step, to album: Int64, with executor: ChangeExecutor) throws {
        switch step {
        case .create: break
        case .title(let title): try executor.setTitle(title, ofCollection: album)
        case .add(let assets): try executor.addMembers(assets, to: album)
        case .insert(let assets, let indexes):
            try executor.insertMembers(assets, at: indexes, in: album)
        case .remove(let assets): try executor.removeMembers(assets, from: album)
        case .removeAt(let indexes): try executor.removeMembers(at: indexes, from: album)
        case .replace(let indexes, let assets):
            try executor.replaceMembers(at: indexes, with: assets, in: album)
        case .move(let indexes, let destination):
            try executor.moveMembers(at: indexes, to: destination, in: album)
        case .place(let assets, let position):
            try executor.moveMembers(assets, to: position, in: album)
        case .cover(let asset): try executor.setCover(asset, ofAlbum: album)
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
        let rows = try identifiers.map { try executor.collection(kind, $0) }
        for row in rows { try executor.deleteCollection(row) }
    }
}
