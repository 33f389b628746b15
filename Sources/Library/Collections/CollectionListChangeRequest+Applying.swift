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
            try executor.insertCollection(.folder, collectionIdentifier, title, in: folder)
            steps.removeFirst()
        }
        let folder = try collectionIdentifier.map { try executor.collection(.folder, $0) }
        for step in steps { try apply(step, to: folder, with: executor) }
    }

    private func apply(_ step: Step, to folder: Int64?, with executor: ChangeExecutor) throws {
        switch step {
        case .create: break
        case .title(let title):
            guard let folder else {
                throw LibraryError(.invalidRequest, "the top of the library has no title")
            }
            try executor.setTitle(title, ofCollection: folder)
        case .add(let children): try executor.addChildren(children, to: folder)
        case .insert(let children, let indexes):
            try executor.insertChildren(children, at: indexes, in: folder)
        case .remove(let children): try executor.removeChildren(children, from: folder)
        case .removeAt(let indexes): try executor.removeChildren(at: indexes, from: folder)
        case .move(let indexes, let destination):
            try executor.moveChildren(at: indexes, to: destination, in: folder)
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
