// SPDX-License-Identifier: Apache-2.0

extension Asset {
    /// Returns the asset's current keywords, in byte order. A keyword in a hierarchy contains the
    /// levels above it, separated by bars, such as `Places|Iceland`.
    ///
    /// - Throws: `LibraryError` with `noSuchAsset`.
    public func keywords(in library: PhotoLibrary) throws -> [String] {
        try library.keywords(ofAsset: localIdentifier)
    }
}
