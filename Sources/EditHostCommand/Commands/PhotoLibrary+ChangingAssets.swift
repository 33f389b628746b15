// SPDX-License-Identifier: Apache-2.0

import Library

extension PhotoLibrary {
    /// Changes assets in one transaction, and returns their new state.
    ///
    /// - Throws: `LibraryError`. Nothing is changed in this case.
    func change(
        _ assets: [Asset], _ body: (AssetChangeRequest) throws -> Void
    ) throws -> [Asset] {
        try performChanges {
            for asset in assets { try body(AssetChangeRequest(for: asset)) }
        }
        return try assets.map { try asset(withLocalIdentifier: $0.localIdentifier) }
    }
}
