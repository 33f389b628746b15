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
}
