// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FoundationEssentials
import Glibc

/// A folder that holds a backup: laid out as a library, with a file that says whose backup it is, so that nobody takes it for
/// the library.
struct BackupFolder {
    /// The folder, which nobody else writes meanwhile.
    let root: Folder

    struct Marker: Codable {
        let backup: Int
        let library: String
    }

    private static let version = 1
    /// What a kill leaves while the marker is written.
    private static let draft = LibraryName.backupMarker + ".new"

    /// Opens the folder of a library's backups; makes it where nothing is, or where nothing is in it.
    ///
    /// - Throws: `LibraryError`: `alreadyExists` where there is something else, another library's backup, or the library
    ///   itself; `busy`, `cannotWrite`.
    init(_ path: String, of library: PhotoLibrary) throws {
        let path = LibraryLayout(root: path).root
        try Self.requireApart(path, library.path)
        try Self.requireOutsideOthers(path)
        if let status = try? stat.ofPath(path), FileKind(status) != .folder {
            throw LibraryError(
                .alreadyExists,
                "this is \(FileKind(status).rawValue), not a folder; choose a new one",
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
            } else {
                let own = ["lost+found", Self.draft]
                guard try root.names().allSatisfy(own.contains) else {
                    throw LibraryError(
                        .alreadyExists,
                        "the folder is not empty, and no backup; choose an empty one, or a new one",
                        path: path)
                }
                try write(Marker(backup: Self.version, library: library.identifier))
            }
            try root.makeFolderIfNeeded(LibraryName.blobs)
            try root.synchronize()
        } catch let error as SystemError {
            throw LibraryError.writing(path, error)
        }
    }

    /// Whether a folder is a backup.
    ///
    /// - Throws: `LibraryError`.
    static func isBackup(_ root: Folder) throws -> Bool {
        do {
            return try root.status(LibraryName.backupMarker) != nil
        } catch {
            throw LibraryError.reading(root.path, error)
        }
    }

    /// Refuses a backup of a newer version. Which library it is of does not matter to who restores it.
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
                .newerSchema, "the backup was written by a newer version of edithost",
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

    /// Refuses a folder that is another one, lies in it, or that it lies in.
    static func requireApart(_ path: String, _ other: String) throws {
        for (inner, outer) in [(path, other), (other, path)]
        where FileIdentity.isWithin(inner, outer) {
            throw LibraryError(
                .alreadyExists,
                "a backup cannot be inside the library, nor the library inside its backup",
                path: path)
        }
    }

    /// Refuses a folder in another library, or in a backup.
    static func requireOutsideOthers(_ path: String) throws {
        let own = FileIdentity(path)
        /// Whether a folder above the path is one of these.
        func isInside(_ isOne: (Folder) -> Bool) throws -> Bool {
            do {
                return try Folder.nearest(to: path).isAny { folder throws(SystemError) in
                    FileIdentity(try folder.status()) != own && isOne(folder)
                }
            } catch {
                throw LibraryError.reading(path, error)
            }
        }
        if try isInside(LibraryLayout.isBackup) {
            throw LibraryError(
                .alreadyExists, "the folder is inside another backup; choose one outside",
                path: path)
        }
        if try isInside(LibraryLayout.isLibrary) {
            throw LibraryError(
                .alreadyExists, "the folder is inside another library; choose one outside",
                path: path)
        }
    }
}
