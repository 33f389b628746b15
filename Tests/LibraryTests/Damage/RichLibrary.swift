// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import TestSupport

@testable import Library

/// A library with something in every table. Tests damage the databases of its copies.
final class RichLibrary: Sendable {
    let folder: TemporaryFolder
    /// The library that is copied.
    let path: String
    /// A file that can be imported.
    let picture: String

    init() throws {
        folder = try TemporaryFolder(isInMemory: true)
        path = folder.file("Rich.editlibrary")
        picture = try folder.write(Data("a new photograph".utf8), to: "new.jpg")
        let outside = try folder.write(Data("a referenced photograph".utf8), to: "outside.jpg")
        let library = try PhotoLibrary.create(at: path)
        let date = CaptureDate(date: Date(timeIntervalSince1970: 1_600_000_000), offset: 7200)
        var assets = try (0..<4).map { number in
            try library.importAsset(
                "photograph \(number)", date: number == 3 ? nil : date,
                location: Location(latitude: 47, longitude: 8 + Double(number)))
        }
        assets.append(try library.reference(outside))
        try Self.describe(assets, in: library)
        for recipe in ["one", "two", "three"] {
            try library.edit(assets[0].id, recipe: recipe, render: "render of \(recipe)")
        }
        try library.edit(assets[1].id, recipe: "other", render: "render of other")
        try library.performChanges {
            try AssetChangeRequest(for: library.asset(withLocalIdentifier: assets[0].id)).undo()
        }
        try library.performChanges {
            let outer = try CollectionListChangeRequest(creatingWithTitle: "Outer")
            let inner = try CollectionListChangeRequest(
                creatingWithTitle: "Inner", in: outer.placeholderForCreatedCollectionList)
            let album = try AssetCollectionChangeRequest(
                creatingWithTitle: "Album", in: inner.placeholderForCreatedCollectionList)
            try album.addAssets(assets)
            try album.setKeyAsset(assets[1])
        }
        let gone = try library.importAsset("deleted")
        try library.performChanges { try AssetChangeRequest.removeAssets([gone]) }
        let trashed = try library.importAsset("trashed")
        try library.edit(trashed.id, recipe: "trashed", render: "render of trashed")
        try library.performChanges { try AssetChangeRequest.deleteAssets([trashed]) }
        try Self.rejectFile(in: library)
        try library.close()
    }

    private static func describe(_ assets: [Asset], in library: PhotoLibrary) throws {
        try library.performChanges {
            for asset in assets.prefix(3) {
                let request = try AssetChangeRequest(for: asset)
                request.burstIdentifier = "burst"
                try request.addKeyword("keyword")
            }
            try AssetChangeRequest(for: assets[3]).isFavorite = true
            try AssetChangeRequest(for: assets[4]).isHidden = true
        }
    }

    private static func rejectFile(in library: PhotoLibrary) throws {
        let (pool, _) = try library.writer()
        let file = RejectedFile(
            hash: .sample("rejected"), filenameExtension: "jpg", byteCount: 8, path: "2024/a.jpg",
            code: "badInput", reason: "the file is truncated", date: Date(), version: "0.1.0")
        try pool.write { try file.save($0) }
    }

    /// The identifiers of its assets.
    func assets() throws -> [String] {
        let library = try PhotoLibrary.open(at: path)
        defer { try? library.close() }
        return try Asset.fetchAssets(in: library).localIdentifiers()
    }

    /// The path of a library's database file.
    static func database(_ path: String) -> String { path + "/library.sqlite" }

    /// Makes a copy to damage.
    func copy() throws -> String {
        let copy = folder.file("\(UUID()).editlibrary")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
    }

    /// Runs statements on a library's database through a separate connection without checks.
    static func execute(on path: String, _ body: (Database) throws -> Void) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: database(path), configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: "PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON")
            try body(database)
            try database.execute(sql: "PRAGMA writable_schema = OFF")
        }
        try queue.close()
    }
}
