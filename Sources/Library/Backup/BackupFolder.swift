// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

/// A backup folder, laid out as a library. A marker file names the library it belongs to, so that
/// the backup is not mistaken for the library.
struct BackupFolder {
    /// The folder, locked against concurrent writers.
    let root: Folder
    /// Whether this library has begun the first backup in the folder, and none is complete.
    private(set) var hasNoBackup = false

    struct Marker: Codable {
        let backup: Int
        let library: String
        /// The path of the library that made the last backup; nil in backups by earlier versions.
        var path: String?
        /// Whether the first backup is not complete yet; nil means that it is.
        var isBegun: Bool?
    }

    /// Programs that only know version 1 would remove the files of snapshots.
    private static let version = 2
    /// The temporary name of the marker, left behind if the process is killed while writing it.
    private static let draft = LibraryName.backupMarker + ".new"

    /// Opens the backup folder of a library, or creates it in a missing or empty folder.
    ///
    /// - Parameter takingOver: Whether the last backup may be of another copy of the library.
    /// - Throws: `LibraryError`: `alreadyExists` if the folder contains anything else, another
    ///   library's backup, or the library itself; `busy`, `cannotWrite`.
    init(_ path: String, of library: PhotoLibrary, takingOver: Bool = false) throws {
        let path = LibraryLayout(root: path).root
        try Self.requireApart(path, library.path)
        try Self.requireOutsideOthers(path)
        if let status = try? stat.ofPath(path), FileKind(status) != .folder {
            throw LibraryError(
                .alreadyExists,
                "this is \(FileKind(status).rawValue), not a folder; choose another folder",
                path: path)
        }
        do {
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemError("mkdir") }
            try OpenFile(LibraryLayout(root: path).parent, O_RDONLY | O_DIRECTORY).synchronize()
            root = try Folder(root: path)
            guard try root.lock(exclusively: true, waiting: 0) else {
                throw LibraryError(
                    .busy, "another backup is being written there; try again later", path: path)
            }
            try root.requireLibraryKinds()
            if let marker = try Self.marker(in: root) {
                guard try marker.library == library.identifier else {
                    throw LibraryError(
                        .alreadyExists, "this is a backup of another library", path: path)
                }
                try requireBackup()
                if !takingOver { try requireContinuation(marker, by: library) }
                if marker.backup < Self.version {
                    try write(
                        Marker(
                            backup: Self.version, library: marker.library, path: marker.path))
                }
                let snapshots = SnapshotFolder(root: root)
                try snapshots.keepLastBackupIfNeeded()
                hasNoBackup = try marker.isBegun == true && snapshots.snapshots().isEmpty
            } else {
                let own = ["lost+found", Self.draft]
                guard try root.names().allSatisfy(own.contains) else {
                    throw LibraryError(
                        .alreadyExists,
                        "the folder is not empty and not a backup; choose an empty or new one",
                        path: path)
                }
                try write(
                    Marker(
                        backup: Self.version, library: library.identifier,
                        path: library.path.resolvedPath, isBegun: true))
                hasNoBackup = true
            }
            try root.makeFolderIfNeeded(LibraryName.blobs)
            try root.synchronize()
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
    }

    /// Rejects a library with a marker, which does not make it a backup.
    private func requireBackup() throws {
        guard try Self.isBackup(root) else {
            throw LibraryError(
                .alreadyExists,
                "this is a library, although it contains the file \(LibraryName.backupMarker) "
                    + "of a backup; choose another folder",
                path: root.path)
        }
    }

    /// Rejects a backup that another copy of the library still writes to, or that has changes which
    /// this library lacks.
    private func requireContinuation(_ marker: Marker, by library: PhotoLibrary) throws {
        let advice =
            "choose another folder for a backup of this library, or use --fork to continue this "
            + "one with it"
        if let other = marker.path, Self.isOtherCopy(other, of: library) {
            throw LibraryError(
                .alreadyExists,
                "this is the backup of the library at \(other), of which this library is a copy; \(advice)",
                path: root.path)
        }
        guard let place = try HistoryPosition(of: root), try !library.read(place.isInHistory) else {
            return
        }
        throw LibraryError(
            .alreadyExists,
            "the last backup here is of another copy of this library and has changes that this "
                + "copy lacks; "
                + advice, path: root.path)
    }

    /// Whether a different library with the same identifier is at a path.
    private static func isOtherCopy(_ path: String, of library: PhotoLibrary) -> Bool {
        guard path.hasPrefix("/"), let other = FileIdentity(path),
            other != FileIdentity(library.path), LibraryLayout.isLibrary(path)
        else { return false }
        var options = PhotoLibrary.Options()
        options.isReadOnly = true
        options.acceptsOlderFormats = true
        guard let copy = try? PhotoLibrary.open(at: path, options: options) else { return false }
        defer { try? copy.close() }
        return (try? copy.identifier == library.identifier) ?? false
    }

    /// Records that a backup is complete, and the path of the library that made it.
    ///
    /// - Throws: `LibraryError` with `cannotWrite`.
    func recordWriter(_ library: PhotoLibrary) throws {
        let path = library.path.resolvedPath
        do {
            guard let marker = try Self.marker(in: root),
                marker.path != path || marker.isBegun == true
            else { return }
            try write(Marker(backup: Self.version, library: marker.library, path: path))
        } catch let error as SystemError {
            throw LibraryError.writing(root.path, error)
        }
    }

    /// Whether a folder is a backup: it has a marker, and its database is not in WAL mode. A
    /// library that was opened always is.
    ///
    /// - Throws: `LibraryError`.
    static func isBackup(_ root: Folder) throws -> Bool {
        do {
            guard try root.status(LibraryName.backupMarker) != nil else { return false }
            return try !DatabaseFiles.usesLog(in: root)
        } catch let error as SystemError {
            throw LibraryError.reading(root.path, error)
        }
    }

    /// Rejects a backup of a newer version. An unreadable marker is ignored, since restoring does
    /// not depend on the library it names.
    ///
    /// - Throws: `LibraryError` with `newerSchema`.
    static func requireKnown(_ root: Folder) throws {
        do {
            _ = try marker(in: root)
        } catch let error as LibraryError where error.code == .damaged {
        } catch let error as SystemError {
            throw LibraryError.reading(root.path, error)
        }
    }

    static func marker(in root: Folder) throws -> Marker? {
        guard try root.status(LibraryName.backupMarker) != nil else { return nil }
        let file = try root.file(LibraryName.backupMarker, O_RDONLY)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = try bytes.withUnsafeMutableBytes { try file.fill($0, at: 0) }
        guard
            let marker = try? JSONDecoder().decode(Marker.self, from: Data(bytes.prefix(count)))
        else {
            throw LibraryError(
                .damaged, "the file does not say which library this is a backup of", path: file.path
            )
        }
        guard marker.backup <= version else {
            throw LibraryError(
                .newerSchema, NewerFormat.message("the backup", version: marker.backup),
                path: file.path)
        }
        return marker
    }

    private func write(_ marker: Marker) throws {
        let data = try JSONEncoder().encode(marker)
        try root.removeFile(Self.draft)
        let file = try root.makeFile(Self.draft, mode: 0o644)
        try data.withUnsafeBytes { try file.write($0, at: 0) }
        try file.synchronize()
        try root.move(Self.draft, to: root, as: LibraryName.backupMarker)
        try root.synchronize()
    }

    /// Rejects a folder that is the same as another one, inside it, or around it.
    static func requireApart(_ path: String, _ other: String) throws {
        for (inner, outer) in [(path, other), (other, path)]
        where FileIdentity.isWithin(inner, outer) {
            throw LibraryError(
                .alreadyExists,
                "a backup cannot be inside the library, nor the library inside its backup",
                path: path)
        }
    }

    /// Rejects a folder inside another library or inside a backup.
    static func requireOutsideOthers(_ path: String) throws {
        let own = FileIdentity(path)
        /// Whether a folder above the path matches.
        func isInside(_ isOne: (Folder) -> Bool) throws -> Bool {
            do {
                return try Folder.nearest(to: path).isOrHasAncestor { folder throws(SystemError) in
                    FileIdentity(try folder.status()) != own && isOne(folder)
                }
            } catch {
                throw LibraryError.reading(path, error)
            }
        }
        if try isInside(LibraryLayout.isBackup) {
            throw LibraryError(
                .alreadyExists, "the folder is inside another backup; choose another folder",
                path: path)
        }
        if try isInside(LibraryLayout.isLibrary) {
            throw LibraryError(
                .alreadyExists, "the folder is inside another library; choose another folder",
                path: path)
        }
    }
}
