// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Glibc

/// The reserved names in a library's folder. Entries with other names are never moved or removed.
enum LibraryName {
    static let database = "library.sqlite"
    static let journal = "library.sqlite-journal"
    static let log = "library.sqlite-wal"
    static let sharedMemory = "library.sqlite-shm"
    static let blobs = "blobs"
    static let staging = "staging"
    static let cache = "cache"
    static let trash = "trash"
    static let quarantine = "quarantine"
    static let backups = "backups"
    static let reserve = "reserve"
    static let lock = "lock"
    static let wake = "wake"
    /// The file whose bytes are locked for the assets that processes are rendering.
    static let claims = "claims"
    /// The file that identifies a backup's library.
    static let backupMarker = "backup.json"
    /// The folder of a backup with the databases of its snapshots.
    static let snapshots = "snapshots"
    /// The folder of a backup with the user's settings.
    static let settings = "settings"
    /// The file that marks a library whose restoration is in progress.
    static let restoring = "restoring"
    /// The draft of a backup, in a session's folder.
    static let draft = "backup.sqlite"
    /// The folder in the trash that holds files which are about to be removed.
    static let removing = "removing"

    /// The entries of a library's folder, and their kinds.
    static let kinds: [(name: String, kind: FileKind)] = [
        (database, .regularFile), (journal, .regularFile), (log, .regularFile),
        (sharedMemory, .regularFile), (blobs, .folder), (staging, .folder), (cache, .folder),
        (trash, .folder), (quarantine, .folder), (backups, .folder), (reserve, .regularFile),
        (lock, .regularFile), (wake, .regularFile), (claims, .regularFile),
        (backupMarker, .regularFile), (snapshots, .folder), (settings, .folder),
        (restoring, .regularFile),
    ]

    /// The names that can exist before the database is created.
    static let withoutDatabase: Set = [blobs, staging, cache, lock, wake, reserve]

    /// Whether the name is that of a shard folder in `blobs/`.
    static func isShard(_ name: String) -> Bool {
        name.utf8.count == 2 && name.utf8.allSatisfy(isHexadecimal)
    }

    /// Whether the name is that of a file in `blobs/`, which is a hash.
    static func isBlob(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy(isHexadecimal)
    }

    /// Returns the hash in the name of a file in the trash or in quarantine, where a suffix may
    /// follow. Returns nil for other names.
    static func blob(ofKeptFile name: String) -> String? {
        let blob = String(name.prefix(64))
        guard isBlob(blob) else { return nil }
        let ending = name.dropFirst(64)
        if ending.isEmpty { return blob }
        return ending.first == "." && isIdentifier(ending.dropFirst().lowercased()) ? blob : nil
    }

    /// Whether the name is that of a session's folder in `staging/`.
    static func isSession(_ name: String) -> Bool { isIdentifier(name) }

    /// Whether the name is that of a file in a session's folder.
    static func isInSession(_ name: String) -> Bool {
        let name = name.hasSuffix(".link") ? String(name.dropLast(5)) : name
        return isIdentifier(name)
            || [lock, draft, draft + "-journal", draft + "-wal", draft + "-shm"].contains(name)
    }

    /// Whether the name is that of a day's folder in the trash, such as "2026-11-21".
    static func isDay(_ name: String) -> Bool {
        hasShape(name, [4, 2, 2]) { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether the name is a UUID in lower case.
    private static func isIdentifier(_ name: String) -> Bool {
        hasShape(name, [8, 4, 4, 4, 12], isHexadecimal)
    }

    private static func hasShape(
        _ name: String, _ counts: [Int], _ isAllowed: (UInt8) -> Bool
    ) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == counts && parts.allSatisfy { $0.allSatisfy(isAllowed) }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
