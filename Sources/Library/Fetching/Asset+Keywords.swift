// SPDX-License-Identifier: Apache-2.0

extension Asset {
    /// Returns the asset's current keywords, in byte order.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public func keywords(in library: PhotoLibrary) throws -> [String] {
        try library.keywords(ofAsset: localIdentifier)
    }
}
