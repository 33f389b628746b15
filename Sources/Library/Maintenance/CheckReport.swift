// SPDX-License-Identifier: Apache-2.0

/// What a check of the library found.
public struct CheckReport: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: Int, Hashable, Sendable, Comparable {
        /// Nothing is wrong.
        case clean = 0
        /// Only leftovers, which hold nothing that is needed.
        case repairable = 1
        /// Something that the library should have is missing or wrong.
        case damage = 2

        /// Whether the left one is less bad.
        public static func < (left: Severity, right: Severity) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// Kinds of findings.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// SQLite finds its database damaged, or rows refer to rows that are not there.
        case databaseDamaged
        /// The file of an original is not there.
        case originalMissing
        /// The file of a rendition is not there.
        case renditionMissing
        /// A file has another size than was stored.
        case wrongSize
        /// A file's bytes have another hash than its name.
        case wrongContent
        /// A file may be written, or may not be read.
        case wrongMode
        /// A file under `blobs/` that the database does not know.
        case orphan
        /// What an interrupted process left in `staging/` or `trash/`.
        case leftover

        /// How bad a finding of this kind is.
        public var severity: Severity {
            switch self {
            case .wrongMode, .orphan, .leftover: .repairable
            default: .damage
            }
        }
    }

    /// One thing that is wrong.
    public struct Finding: Hashable, Sendable {
        /// What kind of thing it is.
        public let kind: Kind
        /// What exactly, in a sentence without a full stop.
        public let detail: String
        /// The asset concerned.
        public let assetIdentifier: String?
        /// The file concerned.
        public let path: String?
    }

    /// What is wrong.
    public internal(set) var findings: [Finding] = []
    /// How many files the library refers to.
    public internal(set) var fileCount = 0
    /// How many of them were read and hashed.
    public internal(set) var readCount = 0
    /// How many files nothing refers to any more; `prune` removes them. This is no fault.
    public internal(set) var unusedCount = 0

    /// How bad the worst finding is.
    public var severity: Severity { findings.map(\.kind.severity).max() ?? .clean }

    mutating func add(
        _ kind: Kind, _ detail: String, asset: String? = nil, path: String? = nil
    ) {
        findings.append(
            Finding(kind: kind, detail: detail, assetIdentifier: asset, path: path))
    }
}
