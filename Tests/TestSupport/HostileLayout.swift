// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A library folder prepared to damage the folder `victim` next to it, or to block forever a process
/// that opens the library.
public struct HostileLayout: Sendable, CustomStringConvertible {
    /// The expected outcome of opening the library.
    public enum Outcome: Sendable {
        /// The library is not opened.
        case refused
        /// The library is not opened for writing.
        case refusedForWriting
        /// Operations that need the file fail; the others work.
        case unusable
        /// The library works; the hostile file is not touched.
        case leftAlone
    }

    /// A description of the change to the library.
    public let name: String
    /// The expected outcome of opening the library.
    public let outcome: Outcome
    /// Whether `check` must report damage.
    public let isDamage: Bool
    private let prepare: @Sendable (Place) throws -> Void

    /// The name.
    public var description: String { name }

    /// A library to be prepared.
    public struct Place: Sendable {
        /// The library's folder, with the folder `victim` next to it.
        public let library: String
        /// The name of a file under `blobs/` that is in the database, "ab/ab…".
        public let blob: String

        /// Creates a place from a library's folder and the name of a blob.
        public init(library: String, blob: String) {
            self.library = library
            self.blob = blob
        }

        fileprivate func path(_ name: String) -> String { library + "/" + name }

        fileprivate func remove(_ name: String) throws {
            try? FileManager.default.removeItem(atPath: path(name))
            try FileManager.default.createDirectory(
                atPath: (path(name) as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
        }

        fileprivate func link(_ name: String, to target: String) throws {
            try remove(name)
            guard symlink(target, path(name)) == 0 else { throw POSIXError(.EIO) }
        }

        fileprivate func hardLink(_ name: String, to victim: String) throws {
            try remove(name)
            guard Foundation.link(library + "/../victim/" + victim, path(name)) == 0 else {
                throw POSIXError(.EIO)
            }
        }

        fileprivate func put(_ kind: Special, at name: String) throws {
            try remove(name)
            try kind.make(path(name))
        }
    }

    /// Applies the change to a library.
    public func apply(to place: Place) throws { try prepare(place) }

    init(
        _ name: String, _ outcome: Outcome, isDamage: Bool = true,
        _ prepare: @escaping @Sendable (Place) throws -> Void
    ) {
        self.name = name
        self.outcome = outcome
        self.isDamage = isDamage
        self.prepare = prepare
    }

    /// A kind of file that is neither a regular file nor a link.
    enum Special: String, CaseIterable, Sendable {
        case pipe, socket, device, folder

        /// Creates the file. Only root can create a device; a pipe replaces it for other users.
        func make(_ path: String) throws {
            let hasFailed =
                switch self {
                case .pipe: mkfifo(path, 0o600) != 0
                case .socket: mknod(path, S_IFSOCK | 0o600, 0) != 0
                case .device:
                    // The null device.
                    mknod(path, S_IFCHR | 0o666, 0x103) != 0 && mkfifo(path, 0o600) != 0
                case .folder: mkdir(path, 0o755) != 0
                }
            if hasFailed { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
    }
}

extension HostileLayout {
    private static let session = "staging/00000000-0000-4000-8000-00000000dead"
    private static let day = "trash/2020-01-01"

    /// Creates the folder `victim` next to a library, with files of all names that are at risk.
    public static func makeVictim(beside library: String) throws -> String {
        let victim = (library as NSString).deletingLastPathComponent + "/victim"
        let names = [
            "file", "lock", "sub/file", "removing/file", "2020-01-01/file",
            "00000000-0000-4000-8000-00000000beef/lock", "ab/" + String(repeating: "ab", count: 32),
            String(repeating: "cd", count: 32), "library.sqlite",
        ]
        for name in names {
            let path = victim + "/" + name
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try Data("the bytes of \(name)".utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, 0o640)
        }
        return victim
    }

    /// All layouts.
    public static let all = folders + files + specials + inside

    /// Links that replace folders.
    private static let folders =
        ["staging", "trash", "quarantine", "blobs", "cache", "backups"].flatMap { name in
            [
                HostileLayout("\(name) -> ../victim", .refused) {
                    try $0.link(name, to: "../victim")
                },
                HostileLayout("\(name) -> /…/victim", .refused) {
                    try $0.link(name, to: $0.library + "/../victim")
                },
            ]
        }

    /// Links that replace files, and hard links to other files.
    private static let files =
        ["wake", "lock", "reserve", "library.sqlite"].flatMap { name in
            [
                HostileLayout("\(name) -> ../victim/file", .refused) {
                    try $0.link(name, to: "../victim/file")
                },
                HostileLayout("\(name) -> ../victim/new", .refused) {
                    try $0.link(name, to: "../victim/new")
                },
            ]
        }
        + ["-wal", "-shm", "-journal"].flatMap { suffix in
            [
                HostileLayout("library.sqlite\(suffix) -> ../victim/file", .refused) {
                    try $0.link("library.sqlite" + suffix, to: "../victim/file")
                },
                HostileLayout("library.sqlite\(suffix) -> ../victim/new", .refused) {
                    try $0.link("library.sqlite" + suffix, to: "../victim/new")
                },
                HostileLayout("library.sqlite\(suffix) is ../victim/file", .refused) {
                    try $0.hardLink("library.sqlite" + suffix, to: "file")
                },
            ]
        } + [
            HostileLayout("library.sqlite is another's", .refusedForWriting, isDamage: false) {
                let victim = $0.library + "/../victim/library.sqlite"
                try FileManager.default.removeItem(atPath: victim)
                try FileManager.default.copyItem(
                    atPath: $0.library + "/library.sqlite", toPath: victim)
                try $0.hardLink("library.sqlite", to: "library.sqlite")
            },
            HostileLayout("wake is ../victim/file", .leftAlone, isDamage: false) {
                try $0.hardLink("wake", to: "file")
            },
            HostileLayout("reserve is ../victim/file", .leftAlone, isDamage: false) {
                try $0.hardLink("reserve", to: "file")
            },
            HostileLayout("a journal that names a super-journal", .refused) { place in
                let victim = Data((place.library + "/../victim/file").utf8)
                var journal = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
                journal.append(Data(count: 1024 - journal.count))
                journal.append(victim)
                let sum = victim.reduce(UInt32(0)) { $0 &+ UInt32($1) }
                for word in [UInt32(victim.count), sum] {
                    withUnsafeBytes(of: word.bigEndian) { journal.append(contentsOf: $0) }
                }
                journal.append(contentsOf: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
                try journal.write(
                    to: URL(fileURLWithPath: place.library + "/library.sqlite-journal"))
            },
        ]

    /// Special files, which may block or have an effect when they are opened.
    private static let specials = Special.allCases.flatMap { kind in
        [
            "wake", "lock", "reserve", "library.sqlite", "library.sqlite-wal", "library.sqlite-shm",
            "library.sqlite-journal",
        ].map { name in
            HostileLayout("\(name) is a \(kind)", .refused) { try $0.put(kind, at: name) }
        } + [
            HostileLayout(
                "a session's lock is a \(kind)", .refusedForWriting, isDamage: kind != .folder
            ) {
                try $0.put(kind, at: session + "/lock")
            },
            HostileLayout("a blob is a \(kind)", .unusable) {
                try $0.put(kind, at: "blobs/" + $0.blob)
            },
        ]
    }

    /// Links and folders in subfolders.
    private static let inside = [
        HostileLayout("blobs/ab -> ../../victim/ab", .unusable) { place in
            try place.link(
                "blobs/" + place.blob.prefix { $0 != "/" }, to: "../../victim/ab")
        },
        HostileLayout("an unknown shard -> ../../victim", .leftAlone) {
            try $0.link("blobs/zz", to: "../../victim")
        },
        HostileLayout("a blob -> ../../../victim/file", .unusable) {
            try $0.link("blobs/" + $0.blob, to: "../../../victim/file")
        },
        HostileLayout("a session -> ../../victim", .leftAlone) {
            try $0.link(session, to: "../../victim")
        },
        HostileLayout("a session's file -> ../../../victim/file", .leftAlone) {
            try $0.link(
                session + "/00000000-0000-4000-8000-000000000001", to: "../../../victim/file")
        },
        HostileLayout("a session of another's files", .leftAlone, isDamage: false) {
            try $0.hardLink(session + "/precious", to: "file")
        },
        HostileLayout("a folder in staging that is no session", .leftAlone, isDamage: false) {
            try $0.hardLink("staging/precious/file", to: "file")
        },
        HostileLayout("a day -> ../../victim", .leftAlone) {
            try $0.link(day, to: "../../victim")
        },
        HostileLayout("removing -> ../../victim/removing", .leftAlone) {
            try $0.link("trash/removing", to: "../../victim/removing")
        },
        HostileLayout("a day of another's files", .leftAlone, isDamage: false) {
            try $0.hardLink(day + "/precious", to: "file")
        },
        HostileLayout("a folder in the trash that is no day", .leftAlone, isDamage: false) {
            try $0.hardLink("trash/precious/file", to: "file")
        },
        HostileLayout("a deep folder in a session", .leftAlone, isDamage: false) {
            try $0.deep(session + "/00000000-0000-4000-8000-000000000001")
        },
        HostileLayout("a deep folder in the trash", .leftAlone, isDamage: false) {
            try $0.deep(day + "/" + String(repeating: "ef", count: 32))
        },
    ]
}

extension HostileLayout.Place {
    /// Creates nested folders; in torture tests, too deep for recursion.
    fileprivate func deep(_ name: String) throws {
        try remove(name)
        guard mkdir(path(name), 0o755) == 0 else { throw POSIXError(.EIO) }
        var folder = open(path(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let depth = ProcessInfo.processInfo.environment["EDITHOST_TORTURE"] == nil ? 3_000 : 30_000
        for _ in 0..<depth {
            guard mkdirat(folder, "a", 0o755) == 0 else { throw POSIXError(.EIO) }
            let next = openat(folder, "a", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            close(folder)
            folder = next
        }
        close(folder)
    }
}

/// Removes a folder of any depth.
public func removeDeepFolder(_ path: String) throws {
    _ = try runProgram("/usr/bin/env", ["rm", "-rf", path])
}
