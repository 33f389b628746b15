// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// The stored results of rendition surveys in a library.
///
/// Every asset that is not in the table `unsurveyed` was found up to date with the stored kinds.
/// Its rendition was in its shard folder when the folder had its stored state. The results are
/// untrusted. At worst, they make renditions pass as up to date that claim to be so themselves.
package struct StoredSurvey: Sendable {
    /// A number that changes whenever a survey stores results.
    package let stamp: Int64
    /// The kinds of rendition inputs.
    package let kinds: [SurveyedKind]
    /// The states of the shard folders by name.
    package let folders: [String: BlobFolders.Moment]

    /// The maximum number of stored kinds. A library with more is surveyed completely.
    package static let maximumKindCount = 256

    init(_ database: Database) throws {
        guard let stamp = try Self.stamp(database) else {
            throw LibraryError(.damaged, "the library's own row is missing; run edithost check")
        }
        self.stamp = stamp
        kinds = try database.records(
            "SELECT subject, kind, digest, sample FROM surveyed_kind LIMIT ?",
            [Self.maximumKindCount + 1]
        ) { row in
            SurveyedKind(
                subject: try row.value(0), kind: try row.value(1), digest: try row.value(2),
                sample: try row.rowNumber(3))
        }
        let folders = try database.records(
            "SELECT name, inode, changed FROM surveyed_folder LIMIT ?",
            [BlobFolders.names.count + 1]
        ) { row in
            let moment = BlobFolders.Moment(inode: try row.value(1), changed: try row.value(2))
            return (try row.value(0, as: String.self), moment)
        }
        self.folders = Dictionary(folders) { first, _ in first }
        guard kinds.count <= Self.maximumKindCount, folders.count <= BlobFolders.names.count else {
            throw LibraryError(.damaged, "a survey of the library's renditions is too long")
        }
    }

    /// Returns the stamp alone, or nil if the library's own row is missing.
    static func stamp(_ database: Database) throws -> Int64? {
        try database.cachedStatement(sql: "SELECT survey_stamp FROM library").value()
    }
}
