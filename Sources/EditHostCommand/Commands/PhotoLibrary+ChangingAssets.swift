// SPDX-License-Identifier: Apache-2.0

import Library

extension PhotoLibrary {
    /// Changes the metadata of assets in one transaction.
    ///
    /// - Parameter body: Makes the changes to an asset. The request does not have the present values.
    /// - Throws: `LibraryError`. Nothing is changed in this case.
    func change(
        _ identifiers: [String], _ body: (AssetChangeRequest) throws -> Void
    ) throws {
        try performChanges {
            for identifier in identifiers { try body(AssetChangeRequest(forAsset: identifier)) }
        }
    }

    /// Reads changed assets one at a time, to print them. Skips those that another process has deleted since.
    ///
    /// - Throws: `LibraryError`; errors thrown by `body`.
    func readChanged(_ identifiers: [String], _ body: (Asset) throws -> Void) throws {
        for identifier in identifiers {
            let found: Asset
            do {
                found = try asset(withLocalIdentifier: identifier, mayBeTrashed: true)
            } catch let error as LibraryError where error.code == .noSuchAsset {
                continue
            }
            try body(found)
        }
    }
}
