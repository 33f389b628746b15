// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
    /// Returns the extensions that the library's edits depend on, sorted, including those of
    /// assets in the trash. Edits made by applications are ignored.
    ///
    /// - Throws: `LibraryError`.
    public func extensionUsage() throws -> [ExtensionUsage] {
        try read { database in
            try database.records(
                """
                SELECT extension_identifier, extension_version, format_identifier, format_version,
                    count(*), count(DISTINCT asset_id)
                FROM edit WHERE extension_identifier IS NOT NULL
                GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
                """
            ) { row in
                ExtensionUsage(
                    extensionIdentifier: try row.value(0), extensionVersion: try row.value(1),
                    formatIdentifier: try row.value(2), formatVersion: try row.value(3),
                    editCount: try row.value(4), assetCount: try row.value(5))
            }
        }
    }

    /// Returns the identifiers of all extensions that made one of the library's edits, sorted.
    ///
    /// - Throws: `LibraryError`.
    package func editingExtensionIdentifiers() throws -> [String] {
        try read { database in
            try database.values(
                """
                SELECT DISTINCT extension_identifier FROM edit
                WHERE extension_identifier IS NOT NULL ORDER BY extension_identifier
                """)
        }
    }
}
