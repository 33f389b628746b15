// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import FoundationEssentials
import Glibc

/// The folder `trash/`: unused files, in a folder for each day.
///
/// They are removed by the first collection after ``TrashPeriod``, or by emptying the folder. Until
/// then, a library whose database is restored from an old copy loses nothing. Requires the
/// exclusive lock. Files with foreign names are left alone.
struct UnusedFilesFolder {
    /// The library's folder.
    let root: Folder

    /// Moves files from `blobs/` to the trash.
    func keep(_ files: [BlobInventory.File], date: Date = Date()) throws(SystemError) {
        try move(files, to: Self.name(of: date))
    }

    /// Removes files from `blobs/`, which must be reproducible. They are moved away durably first.
    func remove(_ files: [BlobInventory.File]) throws(SystemError) {
        if files.isEmpty { return }
        try move(files, to: LibraryName.removing)
        let trash = try root.folder(LibraryName.trash)
        let folder = try trash.folder(LibraryName.removing)
        for file in try Self.files(in: folder, named: LibraryName.removing) {
            try folder.removeFile(file.name)
        }
        try trash.removeFolderIfEmpty(LibraryName.removing)
    }

    /// Removes the leftovers of an interrupted collection and expired files, or everything if `all`
    /// is true. A file that is missing under `blobs/` is kept regardless of age: the database
    /// refers to it, possibly as an old copy, and a repair restores it.
    ///
    /// - Parameter known: The names of the files in the database.
    func empty(
        all: Bool, known: Set<String>, date: Date = Date()
    ) throws(SystemError) -> (count: Int, bytes: Int) {
        var (count, bytes) = (0, 0)
        guard let trash = try root.folderIfPresent(LibraryName.trash) else { return (0, 0) }
        let limit = Self.name(of: date.addingTimeInterval(-Double(TrashPeriod.days) * 86_400))
        for name in try Self.folders(in: trash) {
            let isDay = name != LibraryName.removing
            guard all || !isDay || name < limit else { continue }
            let folder = try trash.folder(name)
            for file in try Self.files(in: folder, named: name) {
                if isDay, let blob = LibraryName.blob(ofKeptFile: file.name), known.contains(blob),
                    try isMissing(blob)
                {
                    continue
                }
                count += 1
                bytes += Int(try folder.status(file.name)?.st_size ?? 0)
                try folder.removeFile(file.name)
            }
            try trash.removeFolderIfEmpty(name)
        }
        return (count, bytes)
    }

    private func isMissing(_ name: String) throws(SystemError) -> Bool {
        guard let hash = SHA256Digest(hex: name) else { return false }
        return try BlobStore(root: root).status(of: hash) == nil
    }

    /// Returns all files that are kept in the trash.
    func files() throws(SystemError) -> [BlobInventory.File] {
        guard let trash = try root.folderIfPresent(LibraryName.trash) else { return [] }
        var files: [BlobInventory.File] = []
        for day in try Self.folders(in: trash) where day != LibraryName.removing {
            files += try Self.files(in: trash.folder(day), named: day)
        }
        return files
    }

    /// Returns the name of an unneeded folder that an interrupted collection left behind, or
    /// nil.
    func leftover() throws(SystemError) -> String? {
        guard let trash = try root.folderIfPresent(LibraryName.trash),
            try trash.status(LibraryName.removing)?.isFolder == true
        else { return nil }
        return trash.path + "/" + LibraryName.removing
    }

    /// Returns the foreign entries in the trash.
    func strays() throws(SystemError) -> [BlobInventory.Stray] {
        guard let trash = try root.folderIfPresent(LibraryName.trash) else { return [] }
        var strays: [BlobInventory.Stray] = []
        func add(_ entry: Folder.Entry, in folder: Folder) {
            strays.append(
                BlobInventory.Stray(
                    name: entry.name, kind: entry.kind, path: folder.path + "/" + entry.name))
        }
        for entry in try trash.entries() {
            guard Self.isOurs(entry) else {
                add(entry, in: trash)
                continue
            }
            let folder = try trash.folder(entry.name)
            for entry in try folder.entries() where !Self.isKept(entry) { add(entry, in: folder) }
        }
        return strays
    }

    private static func folders(in trash: Folder) throws(SystemError) -> [String] {
        try trash.entries().filter(isOurs).map(\.name)
    }

    private static func isOurs(_ entry: Folder.Entry) -> Bool {
        entry.kind == .folder
            && (LibraryName.isDay(entry.name) || entry.name == LibraryName.removing)
    }

    private static func isKept(_ entry: Folder.Entry) -> Bool {
        entry.kind == .regularFile && LibraryName.blob(ofKeptFile: entry.name) != nil
    }

    private static func files(
        in folder: Folder, named name: String
    ) throws(SystemError) -> [BlobInventory.File] {
        try folder.entries().filter(isKept).map {
            BlobInventory.File(name: $0.name, folder: name, path: folder.path + "/" + $0.name)
        }
    }

    private func move(_ files: [BlobInventory.File], to name: String) throws(SystemError) {
        if files.isEmpty { return }
        let trash = try root.makeFolderIfNeeded(LibraryName.trash)
        let folder = try trash.makeFolderIfNeeded(name)
        let blobs = try root.folder(LibraryName.blobs)
        for (shard, files) in Dictionary(grouping: files, by: \.folder) {
            let shard = try blobs.folder(shard)
            for file in files {
                var target = file.name
                // The same name twice in a day may have different content.
                if try folder.status(target) != nil { target += "." + UUID().uuidString }
                try shard.move(file.name, to: folder, as: target)
            }
            try shard.synchronize()
        }
        for folder in [folder, trash, root] { try folder.synchronize() }
    }

    /// Returns the name of a day's folder in UTC, such as "2026-11-21".
    static func name(of date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
