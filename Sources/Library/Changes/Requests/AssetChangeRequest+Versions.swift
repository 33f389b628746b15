// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetChangeRequest {
    /// The maximum length of a version's name, in bytes of UTF-8.
    public static let maximumVersionNameLength = 255

    /// The names of the versions that each asset has, which exports write. No version can be saved under them.
    package static let reservedVersionNames = ["current", "unadjusted", "original"]

    /// Saves the asset's current edit stack under a name. The edits and their rendition are kept,
    /// regardless of later edits, undos and pruning.
    ///
    /// - Parameters:
    ///   - name: The name of the version, on one line, without control characters and bidirectional
    ///     controls; see ``maximumVersionNameLength``. It must not be `current`, `unadjusted` or `original`.
    ///   - replaces: Whether an existing version of that name is replaced.
    /// - Throws: `LibraryError`: `outsideChangeBlock`; `invalidRequest` for an invalid name.
    ///   `performChanges` throws `versionExists` if the name is in use, `noSuchEdit` if the asset
    ///   has no edits.
    public func saveVersion(named name: String, replaces: Bool = false) throws {
        try requireName(name)
        try add(.version(.save(name, replaces: replaces)))
    }

    /// Makes the edits of a version current, as a new state that can be undone.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `noSuchVersion`,
    ///   `renditionMissing`, or `conflict` if the asset was edited in the meantime.
    public func useVersion(named name: String) throws {
        try add(.version(.use(name, tip: nil, nil)))
    }

    /// Renames a version.
    ///
    /// - Throws: `LibraryError`: `outsideChangeBlock`; `invalidRequest` for an invalid name.
    ///   `performChanges` throws `noSuchVersion`, or `versionExists` if the name is in use.
    public func renameVersion(named name: String, to other: String) throws {
        try requireName(other)
        try add(.version(.rename(name, to: other)))
    }

    /// Deletes a version, along with edits that no state or other version refers to.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`. `performChanges` throws `noSuchVersion`.
    public func removeVersion(named name: String) throws { try add(.version(.remove(name))) }

    private func requireName(_ name: String) throws {
        let isName =
            (1...Self.maximumVersionNameLength).contains(name.utf8.count)
            && name.hasNameCharactersOnly
            && name.first?.isWhitespace == false && name.last?.isWhitespace == false
        guard isName else {
            throw LibraryError(
                .invalidRequest,
                "the name of a version must be one line of 1 to "
                    + "\(Self.maximumVersionNameLength) bytes without spaces at the ends, control "
                    + "characters and bidirectional controls",
                asset: assetIdentifier)
        }
        guard !Self.reservedVersionNames.contains(where: { $0.isSameName(as: name) }) else {
            throw LibraryError(
                .invalidRequest,
                "every photo has the versions "
                    + Self.reservedVersionNames.joined(separator: ", ") + "; choose another name",
                asset: assetIdentifier)
        }
    }
}
