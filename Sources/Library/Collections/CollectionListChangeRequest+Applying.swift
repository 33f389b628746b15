// SPDX-License-Identifier: Apache-2.0

extension CollectionListChangeRequest: ChangeRequest {
    func describe(in summary: inout ChangeSummary) {
        if let collectionIdentifier {
            if placeholderForCreatedCollectionList != nil {
                summary.insertedCollections.append(collectionIdentifier)
            } else {
                summary.addUpdatedCollection(collectionIdentifier)
            }
        }
        for step in steps {
            guard let children = step.children else { continue }
            for child in children { summary.addUpdatedCollection(child) }
        }
    }

    func apply(with executor: ChangeExecutor) throws {
        var steps = steps[...]
        if case .create(let title, let folder) = steps.first, let collectionIdentifier {
            try executor.collections.insert(.folder, collectionIdentifier, title, in: folder)
            steps.removeFirst()
        }
        let row = try collectionIdentifier.map { try executor.collections.row(.folder, $0) }
        for step in steps {
            if case .title(let title) = step {
                try setTitle(title, of: row, with: executor)
            } else {
                try apply(step, to: executor.folder(row))
            }
        }
    }

    private func setTitle(
        _ title: String, of row: Int64?, with executor: ChangeExecutor
    ) throws {
        guard let row else {
            throw LibraryError(.invalidRequest, "the top of the library has no title")
        }
        try executor.collections.setTitle(title, of: row)
    }

    private func apply(_ step: Step, to folder: FolderContents) throws {
        switch step {
        case .create, .title: break
        case .add(let children): try folder.add(children)
        case .insert(let children, let indexes):
            try folder.insert(children, at: indexes)
        case .remove(let children): try folder.remove(children)
        case .removeAt(let indexes): try folder.remove(at: indexes)
        case .move(let indexes, let destination):
            try folder.move(at: indexes, to: destination)
        }
    }
}

extension CollectionListChangeRequest.Step {
    /// The collections that are given another place, where they are named.
    fileprivate var children: [String]? {
        switch self {
        case .add(let children), .insert(let children, _), .remove(let children): children
        case .create, .title, .removeAt, .move: nil
        }
    }
}
