// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

extension Asset {
    /// Returns whether a change request for this operation would currently succeed.
    ///
    /// No operation is possible in a library opened read-only, or on a removed asset. An asset in
    /// the trash can only be deleted. The content of audio cannot be edited. Other content can be
    /// edited only if there is an input to render from:
    ///
    /// - the original, stored or referenced and unchanged,
    /// - the stored result of an edit that is not re-rendered, or
    /// - the stored current version of a video.
    ///
    /// A referenced file is read and hashed if its modification time has changed.
    ///
    /// - Throws: `LibraryError` if the library cannot be read.
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
