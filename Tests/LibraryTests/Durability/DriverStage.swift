// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import LibraryTestSupport
import TestSupport
import Testing

@testable import Library

/// A library in a known state, and the driver that changes copies of it.
struct DriverStage {
    /// A change that the driver makes to a copy.
    struct Task: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        var testDescription: String { name }

        init(_ name: String, _ arguments: [String]? = nil) {
            self.name = name
            self.arguments = arguments ?? [name]
        }
    }

    let folder: TemporaryFolder
    private let template: String
    private let prefix: String
    /// The picture to import, and the rendition of the recipe "new".
    let picture: String
    let rendition: String

    static let driver = BuildProducts.folder + "/LibraryDriver"

    /// All tasks that change a library.
    static let tasks = [
        Task("create"), Task("import"), Task("pair"), Task("edit"), Task("undo"), Task("redo"),
        Task("revert"),
        Task("group"), Task("delete"), Task("album"), Task("prune"), Task("empty"),
        Task("migrate", ["open"]),
    ]

    /// - Parameter task: The task for which the library is prepared.
    init(for task: Task) throws {
        folder = try TemporaryFolder(isInMemory: true)
        // The oracle recognises old libraries by this name.
        prefix = task.name
        template = folder.file("Template.editlibrary")
        picture = try folder.write(Data("a new photograph".utf8), to: "new.jpg")
        rendition = try folder.write(Data("render of new".utf8), to: "rendition.jpg")
        guard task.name != "create" else { return }
        let library = try PhotoLibrary.create(at: template)
        let first = try library.importAsset("first", width: 4, height: 3)
        let second = try library.importAsset("second", width: 4, height: 3)
        for recipe in ["one", "two", "three"] {
            try library.edit(first.id, recipe: recipe, render: "render of \(recipe)")
        }
        if task.name == "redo" {
            try library.performChanges { try AssetChangeRequest(for: now(library)).undo() }
        }
        if task.name != "migrate" {
            try library.makeAlbum("Album", [first, second])
        }
        if ["prune", "empty"].contains(task.name) { try Self.addGarbage(to: library) }
        try library.close()
        if task.name == "migrate" { try OldLibrary.downgrade(template) }
    }

    private func now(_ library: PhotoLibrary) throws -> Asset {
        try #require(try Asset.fetchAssets(in: library).first)
    }

    /// Adds a deleted asset and an orphaned file, for a garbage collection to handle.
    private static func addGarbage(to library: PhotoLibrary) throws {
        let gone = try library.importAsset("deleted")
        try library.performChanges { try AssetChangeRequest.removeAssets([gone]) }
        let orphan = SHA256Digest.sample("orphan")
        try Folders.makeIfNeeded(library.layout.shard(of: orphan))
        try Data("orphan".utf8).write(to: URL(fileURLWithPath: library.layout.blob(orphan)))
    }

    /// Makes a copy of the library.
    func copy() throws -> String {
        let path = folder.file("\(prefix)-\(UUID()).editlibrary")
        if FileManager.default.fileExists(atPath: template) {
            try FileManager.default.copyItem(atPath: template, toPath: path)
        }
        return path
    }

    /// The driver's arguments for a task on a copy.
    func arguments(_ task: Task, on path: String) -> [String] {
        let files =
            task.name == "import"
            ? [picture]
            : task.name == "pair"
                ? [picture, rendition] : task.name == "edit" ? ["new", rendition] : []
        return [path] + task.arguments + files
    }

    /// Runs the driver without faults.
    func run(_ task: Task, on path: String) throws -> ProcessResult {
        try runProgram(Self.driver, arguments(task, on: path))
    }
}

/// The comparable contents of a library, without names and dates that vary between runs.
struct LibrarySnapshot: Equatable {
    struct Step: Equatable {
        let recipe: String
        /// The rendition's bytes, or nil if none is stored.
        let rendition: String?
    }

    struct Item: Equatable {
        let original: String
        let companions: [String]
        let position: Int
        let states: [[Step]]
    }

    struct Album: Equatable {
        let title: String
        /// The bytes of the members' originals, in order.
        let members: [String]
        let cover: String?
    }

    let items: [Item]
    let albums: [Album]

    /// Reads everything that the rows name. Fails if a file is missing.
    init(of library: PhotoLibrary) throws {
        albums = try AssetCollection.fetchAssetCollections(with: .album, in: library).map { album in
            Album(
                title: album.title,
                members: try Self.originals(
                    of: Asset.fetchAssets(in: album, library: library), library),
                cover: try Self.originals(
                    of: Asset.fetchKeyAssets(in: album, library: library), library
                ).first)
        }
        items = try Asset.fetchAssets(in: library).map { asset in
            let history = try library.history(ofAsset: asset.id)
            let states = try history.states.map { state in
                try state.chain.map { edit in
                    Step(
                        recipe: String(decoding: edit.adjustmentData.data, as: UTF8.self),
                        rendition: try edit.current.map { try library.text($0.blob) })
                }
            }
            return Item(
                original: try library.text(history.original?.blob),
                companions: try history.originals.dropFirst().map { try library.text(of: $0) },
                position: history.position, states: states)
        }.sorted { $0.original < $1.original }
    }

    private static func originals(
        of assets: FetchResult<Asset>?, _ library: PhotoLibrary
    ) throws -> [String] {
        try assets?.map { try library.text(library.history(ofAsset: $0.id).original?.blob) } ?? []
    }

    /// The recipes whose rendition belongs to another recipe.
    var mismatches: [String] {
        items.flatMap(\.states).joined().compactMap { step in
            guard let rendition = step.rendition?.prefix(while: { $0 != "." }) else { return nil }
            return rendition == "render of \(step.recipe)" ? nil : "\(step.recipe): \(rendition)"
        }
    }
}
