// SPDX-License-Identifier: Apache-2.0

import GRDB

extension PhotoLibrary {
    /// Returns the identifiers of the assets that a change moved to the trash, and that are still
    /// there. The history records such a move as a change of metadata, but it gives the assets the
    /// date of the change.
    ///
    /// - Throws: `LibraryError` if the database cannot be read.
    package func assetsTrashed(by change: PersistentChange) throws -> Set<String> {
        try read { database in
            Set(
                try database.values(
                    "SELECT uuid FROM asset WHERE trashed_date = ?",
                    [change.date.microseconds], as: String.self))
        }
    }
}
