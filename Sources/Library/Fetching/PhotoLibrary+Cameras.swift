// SPDX-License-Identifier: Apache-2.0

import GRDB

extension PhotoLibrary {
    /// Returns the makes and models of the cameras in the library, without duplicates.
    ///
    /// - Throws: `LibraryError`.
    package func cameras() throws -> [(make: String?, model: String?)] {
        try read { database in
            try database.records("SELECT DISTINCT camera_make, camera_model FROM asset") { row in
                (try row.value(0, as: String?.self), try row.value(1, as: String?.self))
            }
        }
    }
}
