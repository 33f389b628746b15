// SPDX-License-Identifier: Apache-2.0

extension ImportResult {
    /// Adds the messages of a merge.
    mutating func take(_ merged: Importer.Merged) {
        kept = merged.kept
        warnings += merged.warnings
    }

    /// Returns the result with another status.
    func with(_ status: Status) -> ImportResult {
        var result = ImportResult(
            path: path, assetIdentifier: assetIdentifier, resourceType: resourceType,
            status: status)
        result.error = error
        result.warnings = warnings
        result.kept = kept
        return result
    }
}
