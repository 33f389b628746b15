// SPDX-License-Identifier: Apache-2.0

/// The result of checking a library.
package struct CheckReport: Hashable, Sendable {
    /// The severity of a finding or a report.
    package enum Severity: Int, Hashable, Sendable, Comparable {
        /// The check found no fault.
        case clean = 0
        /// The library is intact; referenced files outside it are missing or have changed, or
        /// the next change removes the folder of an interrupted process.
        case notice = 1
        /// There are only unneeded leftovers, or bad renditions that are not displayed and can
        /// be re-rendered.
        case repairable = 2
        /// A part of the library is missing or damaged.
        case damage = 3

        /// Returns whether the left severity is lower.
        package static func < (left: Severity, right: Severity) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// A kind of finding.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// SQLite reports a damaged database, or rows refer to missing rows.
        case databaseDamaged
        /// The recipe of an edit does not match its hash.
        case recipeDamaged
        /// The file of an original is missing.
        case originalMissing
        /// The content of an original does not match its hash.
        case originalDamaged
        /// A file that a user chose for a parameter of an edit is missing.
        case editFileMissing
        /// The content of such a file does not match its hash.
        case editFileDamaged
        /// A referenced file is missing. The library itself is not damaged.
        case referencedFileAway
        /// A referenced file was replaced or modified. The library itself is not damaged.
        case referencedFileChanged
        /// The file of a rendition is missing.
        case renditionMissing
        /// The content of a rendition does not match its hash.
        case renditionDamaged
        /// A video cannot be decoded from beginning to end, or no decoder is available. For an
        /// original that matches its hash, the library itself is not damaged.
        case videoNotDecoded
        /// A file is writable, or it is not readable.
        case wrongMode
        /// A file under `blobs/` is not in the database. A file with a foreign name is kept.
        case orphan
        /// An interrupted process left a file in `staging/` or `trash/`. A file with a foreign name
        /// is kept.
        case leftover
        /// A snapshot of a backup cannot be read, or one of its files is missing or damaged.
        case snapshotDamaged
        /// There is an entry that a library never has, such as a link or a pipe. It is neither
        /// followed nor opened. The library may be malicious.
        case misplaced
    }

    /// A single fault of a library.
    package struct Finding: Hashable, Sendable {
        /// The kind of fault.
        package let kind: Kind
        /// The severity of the fault.
        package let severity: Severity
        /// True if it can be repaired, as far as this can be determined without trying.
        package let isRepairable: Bool
        /// A description, as a sentence without a full stop.
        package let detail: String
        /// The identifier of the affected asset, or nil.
        package let assetIdentifier: String?
        /// The path of the affected file, or nil.
        package let path: String?
    }

    /// The faults, in the order of the check.
    package internal(set) var findings: [Finding] = []
    /// The number of files that the library refers to.
    package internal(set) var fileCount = 0
    /// The number of files that were read and hashed.
    package internal(set) var readCount = 0
    /// The number of videos that were decoded.
    package internal(set) var decodedCount = 0
    /// The number of unused files, which `prune` removes. They are not a fault.
    package internal(set) var unusedCount = 0

    /// The number of files in the trash. They are not a fault.
    package internal(set) var trashedCount = 0

    /// Creates an empty report.
    init() {}

    /// The severity of the worst finding.
    package var severity: Severity { findings.map(\.severity).max() ?? .clean }
}
