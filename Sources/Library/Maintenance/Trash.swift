// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials
import Glibc

/// The folder `trash/`: files that nothing names any more, in a folder for each day.
///
/// They are removed by the first collection that comes 30 days later, or when it is told to empty
/// the trash. Until then a library whose database was restored from an old copy has lost
/// nothing. Used only under the exclusive lock.
struct Trash {
    /// How many days files stay.
    static let days = 30

    let layout: LibraryLayout

    /// Where files go that are removed at once, because they can be made again.
    private var removing: String { layout.trash + "/removing" }

    /// Moves files here, to stay.
    func keep(_ files: [BlobInventory.File], date: Date = Date()) throws(SystemError) {
        try move(files, to: layout.trash + "/" + Self.name(of: date))
    }

    /// Moves files out of `blobs/`, makes that durable, then removes them.
    func remove(_ files: [BlobInventory.File]) throws(SystemError) {
        try move(files, to: removing)
        try Folders.removeTree(removing)
    }

    /// Removes what an interrupted collection left, and what has been here long enough; with
    /// `all` everything. A file that is missing under `blobs/` stays, however old it is: an old
    /// copy of the database names it, and a repair brings it back.
    ///
    /// - Parameter known: the names of the files that the database knows.
    func empty(
        all: Bool, known: Set<String>, date: Date = Date()
    ) throws(SystemError) -> (count: Int, bytes: Int) {
        var (count, bytes) = (0, 0)
        let limit = Self.name(of: date.addingTimeInterval(-Double(Self.days) * 86_400))
        for name in try names() where all || !Self.isDay(name) || name < limit {
            let folder = layout.trash + "/" + name
            let files = (try? Folders.names(in: folder)) ?? []
            var missed: [String] = []
            for file in files where Self.isDay(name) && known.contains(Self.blobName(of: file)) {
                if try isMissing(Self.blobName(of: file)) { missed.append(file) }
            }
            for file in files where !missed.contains(file) {
                count += 1
                bytes += Int(try Folders.status(folder + "/" + file)?.st_size ?? 0)
                if !missed.isEmpty { try Folders.removeFile(folder + "/" + file) }
            }
            if missed.isEmpty { try Folders.removeTree(folder) }
        }
        return (count, bytes)
    }

    private func isMissing(_ name: String) throws(SystemError) -> Bool {
        guard let hash = SHA256Digest(hex: name) else { return false }
        return try Folders.status(layout.blob(hash)) == nil
    }

    /// What a file was called under `blobs/`: here it may have an ending.
    private static func blobName(of file: String) -> String {
        file.firstIndex(of: ".").map { String(file[..<$0]) } ?? file
    }

    /// Every file that stays here.
    func files() throws(SystemError) -> [BlobInventory.File] {
        var files: [BlobInventory.File] = []
        for day in try names() where Self.isDay(day) {
            let folder = layout.trash + "/" + day
            for name in try Folders.names(in: folder) {
                files.append(
                    BlobInventory.File(name: name, path: folder + "/" + name, shard: folder))
            }
        }
        return files
    }

    /// What an interrupted collection left: nobody needs it.
    func leftovers() throws(SystemError) -> [String] {
        try names().filter { !Self.isDay($0) }.map { layout.trash + "/" + $0 }
    }

    private func names() throws(SystemError) -> [String] {
        guard try Folders.status(layout.trash) != nil else { return [] }
        return try Folders.names(in: layout.trash)
    }

    private func move(
        _ files: [BlobInventory.File], to folder: String
    ) throws(SystemError) {
        if files.isEmpty { return }
        try Folders.makeIfNeeded(layout.trash)
        try Folders.makeIfNeeded(folder)
        for file in files {
            var target = folder + "/" + file.name
            // The same name twice in a day: perhaps not the same bytes.
            if try Folders.status(target) != nil { target += "." + UUID().uuidString }
            guard rename(file.path, target) == 0 else { throw SystemError("rename") }
        }
        for path in Set(files.map(\.shard)).union([folder, layout.trash, layout.root]) {
            try Folders.synchronize(path)
        }
    }

    /// "2026-11-21", in UTC.
    static func name(of date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }

    private static func isDay(_ name: String) -> Bool {
        name.utf8.count == 10 && name.utf8.allSatisfy { (0x2D...0x39).contains($0) }
    }
}
