// SPDX-License-Identifier: Apache-2.0

/// What a check of the library found.
package struct CheckReport: Hashable, Sendable {
    /// How bad it is.
    package enum Severity: Int, Hashable, Sendable, Comparable {
        /// Nothing is wrong.
        case clean = 0
        /// The library is whole; files outside it, to which it refers, are away or have changed.
        case notice = 1
        /// Only leftovers, which hold nothing that is needed, and stored pictures that nobody
        /// sees now and that can be made again.
        case repairable = 2
        /// Something that the library should have is missing or wrong.
        case damage = 3

        /// Whether the left one is less bad.
        package static func < (left: Severity, right: Severity) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// Kinds of findings.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// SQLite finds its database damaged, or rows refer to rows that are not there.
        case databaseDamaged
        /// The recipe of an edit is not the one that was stored.
        case recipeDamaged
        /// The file of an original is not there.
        case originalMissing
        /// The bytes of an original are not those that were imported.
        case originalDamaged
        /// A file that a user gave to a parameter of an edit is not there.
        case editFileMissing
        /// The bytes of such a file are not those that were stored.
        case editFileDamaged
        /// A file that was referenced is not where it was. This is no damage to the library.
        case referencedFileAway
        /// Where a referenced file was, there is another one now, or it was changed. This is no
        /// damage to the library.
        case referencedFileChanged
        /// The file of a rendition is not there.
        case renditionMissing
        /// The bytes of a rendition are not those that were stored.
        case renditionDamaged
        /// A video cannot be decoded from its beginning to its end, or there is nothing to decode it with. Of an
        /// original, whose bytes are what was imported, this is no damage to the library.
        case videoNotDecoded
        /// A file may be written, or may not be read.
        case wrongMode
        /// A file under `blobs/` that the database does not know. Under a name that the library does not
        /// give, it is left alone.
        case orphan
        /// What an interrupted process left in `staging/` or `trash/`. Under a name that the library
        /// does not give, it is left alone.
        case leftover
        /// Something that a library never has, such as a link or a pipe: it is neither followed nor
        /// opened. The library may have been made to do harm.
        case misplaced
    }

    /// One thing that is wrong.
    package struct Finding: Hashable, Sendable {
        /// What kind of thing it is.
        package let kind: Kind
        /// How bad it is.
        package let severity: Severity
        /// Whether it can be repaired, as far as can be told without trying.
        package let isRepairable: Bool
        /// What exactly, in a sentence without a full stop.
        package let detail: String
        /// The asset concerned.
        package let assetIdentifier: String?
        /// The file concerned.
        package let path: String?
    }

    /// What is wrong.
    package internal(set) var findings: [Finding] = []
    /// How many files the library refers to.
    package internal(set) var fileCount = 0
    /// How many of them were read and hashed.
    package internal(set) var readCount = 0
    /// How many videos were decoded.
    package internal(set) var decodedCount = 0
    /// How many files nothing refers to any more; `prune` removes them. This is no fault.
    package internal(set) var unusedCount = 0

    /// How many files are in the trash. This is no fault.
    package internal(set) var trashedCount = 0

    /// A report of nothing.
    init() {}

    /// How bad the worst finding is.
    package var severity: Severity { findings.map(\.severity).max() ?? .clean }
}

/// What repairing did about a finding.
package enum RepairAction: String, Hashable, Sendable, CaseIterable {
    /// Nothing: it no longer exists, or cannot be helped.
    case none
    /// A mode was set, or a leftover removed.
    case repaired
    /// The file came back from the trash or from quarantine.
    case restored
    /// The damaged file was moved to quarantine.
    case setAside
    /// The file was moved to the trash.
    case trashed
    /// The picture was rendered again.
    case rendered
}
