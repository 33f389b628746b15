// SPDX-License-Identifier: Apache-2.0

/// A request to delete albums or folders.
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
