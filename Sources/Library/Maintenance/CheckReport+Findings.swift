// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import GRDB
import Glibc

extension CheckReport {
    /// Creates a report from the error that prevented opening. Returns nil if the library itself is
    /// not at fault.
    init?(damage error: LibraryError, of layout: LibraryLayout) {
        guard error.isDamage || (error.code == .notALibrary && layout.looksLikeLibrary) else {
            return nil
        }
        self.init()
        findings.append(
            Finding(
                kind: error.code == .invalidLayout ? .misplaced : .databaseDamaged,
                severity: .damage, isRepairable: false,
                detail: error.message + (error.underlying.map { ": \($0)" } ?? ""),
                assetIdentifier: error.assetIdentifier, path: error.path ?? layout.database))
    }

    /// Adds a fault of the database.
    mutating func add(_ finding: DatabaseCheck.Finding, of layout: LibraryLayout) {
        findings.append(
            Finding(
                kind: finding.kind, severity: .damage, isRepairable: false, detail: finding.detail,
                assetIdentifier: finding.asset, path: layout.database))
    }
}

extension LibraryLayout {
    /// Whether the entries that identify a folder as a library exist, in any condition.
    fileprivate var looksLikeLibrary: Bool {
        [database, blobs].allSatisfy { path in
            var status = stat()
            return lstat(path, &status) == 0
        }
    }
}
