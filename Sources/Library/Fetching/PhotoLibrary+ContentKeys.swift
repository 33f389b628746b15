// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
    /// Returns the content key of an asset.
    ///
    /// - Parameters:
    ///   - identifier: The local identifier of the asset.
    ///   - seed, extensions: See ``FetchResult/contentKeys(at:seed:extensions:)``.
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public func contentKey(
        ofAsset identifier: String, seed: String = "", extensions: String = ""
    ) throws -> ContentKey {
        let key = try read {
            try ContentKey.one(ofAsset: identifier, seed: seed, extensions: extensions, $0)
        }
        guard let key else { throw LibraryError.noSuchAsset(identifier) }
        return key
    }

    /// Returns the content keys of assets by their identifiers. Unknown identifiers are omitted.
    ///
    /// - Throws: `LibraryError`.
    public func contentKeys(
        ofAssets identifiers: some Sequence<String>, seed: String = "", extensions: String = ""
    ) throws -> [String: ContentKey] {
        try read { database in
            var keys: [String: ContentKey] = [:]
            for identifier in identifiers {
                keys[identifier] = try ContentKey.one(
                    ofAsset: identifier, seed: seed, extensions: extensions, database)
            }
            return keys
        }
    }
}
