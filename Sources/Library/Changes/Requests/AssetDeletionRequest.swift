// SPDX-License-Identifier: Apache-2.0

/// A request to delete assets.
struct AssetDeletionRequest: ChangeRequest {
    let identifiers: [String]

    func describe(in summary: inout ChangeSummary) {
        summary.removed += identifiers
    }

    func apply(with executor: ChangeExecutor) throws {
        for identifier in identifiers { try executor.assets.delete(identifier) }
    }
}
