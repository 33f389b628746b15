// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Library

/// Imports photos, adds them to a new album, edits them with an extension and exports them.
///
///     AlbumApp LIBRARY ALBUM PHOTOS FOLDER
///
/// EDITHOST names the installed program, by default /usr/local/lib/edithost/edithost.
@main
struct AlbumApp {
    let library: PhotoLibrary
    let host: ExtensionHost

    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 4 else {
            print("usage: AlbumApp LIBRARY ALBUM PHOTOS FOLDER")
            exit(64)
        }
        let app = try AlbumApp(library: words[1])
        do {
            try await app.run(album: words[2], photos: words[3], folder: words[4])
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    init(library path: String) throws {
        let environment = ProcessInfo.processInfo.environment
        let program = environment["EDITHOST"] ?? "/usr/local/lib/edithost/edithost"
        library = try PhotoLibrary.openOrCreate(at: path)
        host = ExtensionHost(.standard(executable: program, environment: environment))
    }

    private func run(album: String, photos: String, folder: String) async throws {
        let token = try library.currentChangeToken
        try await importPhotos(in: photos)
        let assets = try unedited()
        let watching = try watch(assets)
        try await makeAlbum(album, of: assets)
        let identifiers = try assets.localIdentifiers()
        try await edit(identifiers)
        try await watching.value
        try await export(identifiers, to: folder)
        try printChanges(since: token)
        await host.shutDown()
        try library.close()
    }

    private func importPhotos(in folder: String) async throws {
        try await host.importPhotos(at: [folder], into: library) { result in
            if let error = result.error { print("\(result.path): \(error)") }
        }
    }

    private func unedited() throws -> FetchResult<Asset> {
        var options = FetchOptions()
        options.predicate = .and([
            .not(.hasAdjustments), .size(.pixelWidth, .atLeast(32)),
        ])
        options.sortDescriptors = [AssetSortDescriptor(.originalFilename)]
        let assets = try Asset.fetchAssets(in: library, options: options)
        print("\(assets.count) photos without an edit")
        for asset in assets {
            print("  \(asset.originalFilename), \(asset.pixelWidth) x \(asset.pixelHeight)")
        }
        return assets
    }

    private func makeAlbum(_ title: String, of assets: FetchResult<Asset>) async throws {
        try await library.performChanges {
            try AssetCollectionChangeRequest(creatingWithTitle: title).addAssets(assets)
            for asset in assets {
                try AssetChangeRequest(for: asset).isFavorite = true
            }
        }
    }

    private func watch(_ assets: FetchResult<Asset>) throws -> Task<Void, any Error> {
        let changes = try library.changes()
        return Task {
            var assets = assets
            for await change in changes {
                guard let details = try change.changeDetails(for: assets) else { continue }
                assets = details.fetchResultAfterChanges
                for asset in details.removedObjects { print("edited \(asset.originalFilename)") }
                if assets.isEmpty { break }
            }
        }
    }

    private func edit(_ identifiers: [String]) async throws {
        let sepia = EditRequest(extensionName: "sepia", values: ["intensity": "0.7"])
        let results = try await host.edit(identifiers, sepia, in: library)
        print("\(results.count { $0.status == .committed }) edited")
    }

    private func export(_ identifiers: [String], to folder: String) async throws {
        try await host.export(identifiers, from: library, to: folder, ExportOptions()) { result in
            print(try result.path.get())
        }
    }

    private func printChanges(since token: ChangeToken) throws {
        for change in try library.fetchPersistentChanges(since: token) {
            let assets = change.changeDetails(for: .asset)
            print(
                "\(assets.insertedLocalIdentifiers.count) inserted,",
                "\(assets.updatedLocalIdentifiers.count) updated,",
                "\(assets.deletedLocalIdentifiers.count) deleted")
        }
    }
}
