// SPDX-License-Identifier: Apache-2.0

/// How many edits depend on an extension, in one version of its recipes.
public struct ExtensionUsage: Hashable, Sendable {
    /// The extension.
    public let extensionIdentifier: String
    /// The version that it had when it made them.
    public let extensionVersion: String
    /// The format of the recipes.
    public let formatIdentifier: String
    /// The version of the format.
    public let formatVersion: String
    /// How many edits, undone ones included.
    public let editCount: Int
    /// How many assets have such edits, undone ones included.
    public let assetCount: Int
}

extension PhotoLibrary {
    /// Which extensions the edits depend on that the library keeps, sorted; what applications made is not among them.
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
}
