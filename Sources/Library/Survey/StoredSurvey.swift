// SPDX-License-Identifier: Apache-2.0

import EditingModel
import GRDB

/// What surveys of renditions have left in a library.
///
/// Every asset that is not in the table `unsurveyed` was found up to date by the kinds that are stored, and its rendition was in its
/// folder when that was as it is stored. A library may come from anybody: what it says here can at most make pictures pass as
/// up to date that say of themselves that they are.
package struct StoredSurvey: Sendable {
    /// Another number after whatever a survey stores.
    package let stamp: Int64
    /// What renditions have in common.
    package let kinds: [SurveyedKind]
    /// The folders of stored files by their names.
    package let folders: [String: BlobFolders.Moment]

    /// How many kinds are stored at most: what has more is surveyed as a whole.
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

    /// The stamp alone; nil: the library's own row is missing.
    static func stamp(_ database: Database) throws -> Int64? {
        try database.cachedStatement(sql: "SELECT survey_stamp FROM library").value()
    }
}

/// Something that the ingredients of renditions have in common.
package struct SurveyedKind: Hashable, Sendable {
    /// What is of this kind.
    package enum Subject: String, Sendable {
        /// An original: by its facts, ``RenditionRecord/originalKind``.
        case original
        /// An edit: by its extension and format, ``RenditionRecord/Step/kind``.
        case step
    }

    /// What is of this kind.
    package let subject: Subject
    /// The kind.
    package let kind: String
    /// The hash of what ingredients of this kind have in common.
    package let digest: SHA256Digest
    /// The row of an asset that has something of this kind, or had it.
    package let sample: Int64

    /// Makes a kind; every argument is the property of its name.
    package init(subject: Subject, kind: String, digest: SHA256Digest, sample: Int64) {
        self.subject = subject
        self.kind = kind
        self.digest = digest
        self.sample = sample
    }
}

extension SurveyedKind.Subject: StoredName {}
