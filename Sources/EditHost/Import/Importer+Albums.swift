// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension Importer {
    /// Returns the titles that Google Takeout states for the albums of folders, by the folders relative to the imported
    /// folder. Files that cannot be read are skipped.
    ///
    /// - Throws: `HostError` if no runner can be started.
    func albumTitles() async throws -> [FileName: String] {
        var titles: [FileName: String] = [:]
        for (folder, path) in finder.albumFiles {
            guard let (file, _) = try? Self.open(path) else { continue }
            titles[folder] = try await pool.readSidecar(file).albumTitle
        }
        return titles
    }
}
