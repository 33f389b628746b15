// SPDX-License-Identifier: Apache-2.0

/// What can be done to an asset. The raw values are those of PhotoKit's `PHAssetEditOperation`,
/// which are numbers and no bits: ``properties`` is not ``delete`` and ``content`` together.
public enum AssetEditOperation: Int, Hashable, Sendable, CaseIterable {
    /// Deleting it.
    case delete = 1
    /// Editing its picture.
    case content = 2
    /// Changing its date, its place and its marks.
    case properties = 3
}

extension Asset {
    /// Whether a change request for this operation would be carried out now.
    ///
    /// In a library that is open for reading only nothing can be done, nor to an asset that has been
    /// deleted. The content can be edited of what is neither a video nor a sound, and only where
    /// there is something to draw from: the original, stored or referenced and unchanged, or the
    /// stored result of an edit that is not run again. To tell, a referenced file is read where its
    /// time is another one than it was.
    ///
    /// - Throws: `LibraryError` where the library cannot be read.
    public func canPerform(
        _ operation: AssetEditOperation, in library: PhotoLibrary
    ) throws -> Bool {
        guard !library.options.isReadOnly else { return false }
        do {
            try library.read { database in
                let ability = EditAbility(
                    database: database, store: library.store, assetIdentifier: localIdentifier)
                try ability.require(operation)
            }
            return true
        } catch let error as LibraryError where EditAbility.refusals.contains(error.code) {
            return false
        }
    }
}
