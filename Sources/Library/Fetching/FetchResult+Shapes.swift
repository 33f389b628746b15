// SPDX-License-Identifier: Apache-2.0

extension FetchResult<Asset> {
    /// Returns the shapes of a range of positions, read in one scan without creating any asset.
    /// They reflect the current library, even if the result was loaded earlier.
    ///
    /// An asset that was deleted after the result was loaded has the day
    /// ``AssetShapes/unknownDay``, the aspect ratio of a square, and no flags.
    ///
    /// - Parameter range: The positions, which must be valid; by default all.
    /// - Throws: `LibraryError`.
    public func shapes(at range: Range<Int>? = nil) throws -> AssetShapes {
        guard case .fetched(let objects) = storage else {
            return AssetShapes(count: range?.count ?? count)
        }
        let all = try objects.moment().list
        let list = range.map { IdentifierList(Array(all[$0])) } ?? all
        let away = try objects.library.rowsOfAssetsAway()
        return try objects.library.read { try AssetShapes(of: list, away: away, $0) }
    }

    /// Returns the content keys of a range of positions, read in one scan. The key of a deleted
    /// asset is nil.
    ///
    /// - Parameters:
    ///   - range: The positions, which must be valid.
    ///   - seed: Anything else that the pictures depend on, such as the version of the program that
    ///     renders them. It changes all keys.
    ///   - extensions: The builds of the extensions that render states and versions whose pictures
    ///     are not stored. It changes only the keys of assets that have such states or versions.
    /// - Throws: `LibraryError`.
    public func contentKeys(
        at range: Range<Int>, seed: String = "", extensions: String = ""
    ) throws -> [ContentKey?] {
        guard case .fetched(let objects) = storage else { return range.map { _ in nil } }
        let rows = try objects.moment().list[range]
        let keys = try objects.library.read {
            try ContentKey.all(ofRows: rows, seed: seed, extensions: extensions, $0)
        }
        return rows.map { keys[$0] }
    }
}
