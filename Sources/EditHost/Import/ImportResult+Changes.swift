// SPDX-License-Identifier: Apache-2.0

import FileAccess

extension ImportResult {
    /// Whether the library has the file.
    var isInLibrary: Bool { ![.skipped, .rejected, .rejectedBefore].contains(status) }

    /// Whether the library has the file, and not only in the trash.
    var isSafe: Bool { isInLibrary && !staysInPlace }

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
        result.staysInPlace = staysInPlace
        return result
    }
}

extension [ImportResult] {
    /// Whether one of the results states that the library has a file.
    func contain(_ file: Importer.StagedFile) -> Bool {
        contains { $0.isInLibrary && FileName($0.path) == FileName(file.path) }
    }
}
