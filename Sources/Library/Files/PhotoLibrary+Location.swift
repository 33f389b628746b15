// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

extension PhotoLibrary {
    /// Returns whether a folder is a library or a backup, even an incomplete one, judged by its
    /// entries.
    package static func isLibraryOrBackup(_ path: String) -> Bool {
        (try? Folder(writing: path)).map(isLibraryOrBackup) ?? false
    }

    private static func isLibraryOrBackup(_ folder: Folder) -> Bool {
        LibraryLayout.isLibrary(folder) || LibraryLayout.isBackup(folder)
            || LibraryLayout.isBeingRestored(folder)
    }

    /// Returns whether a path leads into a library or a backup, whose files belong to it alone.
    ///
    /// - Throws: `LibraryError` with `cannotRead` if this cannot be determined.
    package static func isWithinLibrary(_ path: String) throws -> Bool {
        do {
            return try isWithin(.nearest(to: path))
        } catch {
            throw LibraryError.reading(path, error)
        }
    }

    /// Returns whether an open folder is a library or a backup, or is inside one.
    ///
    /// - Throws: `LibraryError` with `cannotRead` if this cannot be determined.
    package static func isWithinLibrary(_ folder: Folder) throws -> Bool {
        do {
            return try isWithin(folder)
        } catch {
            throw LibraryError.reading(folder.path, error)
        }
    }

    private static func isWithin(_ folder: Folder) throws(SystemError) -> Bool {
        try folder.isOrHasAncestor { folder throws(SystemError) in isLibraryOrBackup(folder) }
    }
}
