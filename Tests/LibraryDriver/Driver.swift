// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Glibc
import Library
import Synchronization

/// One run of the driver: `LIBRARY VERB [ARGUMENT]...`.
struct Driver {
    struct Usage: Error {}

    let path: String
    let verb: String
    let arguments: [String]

    init(arguments: [String]) throws {
        guard arguments.count >= 2 else { throw Usage() }
        path = arguments[0]
        verb = arguments[1]
        self.arguments = Array(arguments.dropFirst(2))
    }

    func run() throws {
        switch verb {
        case "shared": return try Self.shared()
        case "check": return Survey.check(path)
        case "survey": return Survey(path, isReadOnly: true)?.read() ?? ()
        case "shake":
            let picture = try argument(0)
            return Survey(path, isReadOnly: false)?.change(picture: picture) ?? ()
        default: break
        }
        var options = PhotoLibrary.Options()
        options.isReadOnly = verb == "watch"
        options.usesReserve = ["delete", "prune", "empty"].contains(verb)
        let library =
            verb == "create"
            ? try PhotoLibrary.openOrCreate(at: path, options: options)
            : try PhotoLibrary.open(at: path, options: options)
        try change(library)
        try library.close()
    }

    /// Prints a line without buffering, because its reader may then kill this process.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
    }

    private func argument(_ index: Int) throws -> String {
        guard arguments.indices.contains(index) else { throw Usage() }
        return arguments[index]
    }

    private func change(_ library: PhotoLibrary) throws {
        switch verb {
        case "open", "create": break
        case "import": try importFile(try argument(0), into: library)
        case "pair":
            try importFile(try argument(0), with: try argument(1), into: library)
        case "edit": try edit(recipe: try argument(0), file: try argument(1), in: library)
        case "undo": try move(library) { try $0.undo() }
        case "redo": try move(library) { try $0.redo() }
        case "revert": try move(library) { try $0.revertAssetContentToOriginal() }
        case "delete":
            let asset = try firstAsset(library)
            try library.performChanges { try AssetChangeRequest.removeAssets([asset]) }
        case "album": try makeAlbum(library)
        case "prune": _ = try library.prune()
        case "empty": _ = try library.prune(emptyingTrash: true)
        case "edits": try manyEdits(library)
        case "group": try group(library)
        case "collect": try collect(library)
        case "fill": try fill(library)
        case "watch": try watch(library, while: try argument(0))
        default: throw Usage()
        }
    }

    /// `shared`: opens the user's library on several threads concurrently.
    private static func shared() throws {
        let opened = Mutex<Set<ObjectIdentifier>>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let library = try? PhotoLibrary.shared
            if let library { _ = opened.withLock { $0.insert(ObjectIdentifier(library)) } }
        }
        let library = try PhotoLibrary.shared
        say("opened \(opened.withLock(\.count)) at \(library.path)")
        try library.performChanges {
            _ = try AssetCollectionChangeRequest(creatingWithTitle: "Shared")
        }
        try library.close()
    }

    private func firstAsset(_ library: PhotoLibrary) throws -> Asset {
        guard let asset = try Asset.fetchAssets(in: library).first else { throw Usage() }
        return asset
    }

    private func move(
        _ library: PhotoLibrary, _ change: (AssetChangeRequest) throws -> Void
    ) throws {
        let asset = try firstAsset(library)
        try library.performChanges { try change(AssetChangeRequest(for: asset)) }
    }

    /// `album`: creates a folder with an album of all photos and its cover, in one change.
    private func makeAlbum(_ library: PhotoLibrary) throws {
        let assets = try Asset.fetchAssets(in: library)
        let cover = try firstAsset(library)
        try library.performChanges {
            let folder = try CollectionListChangeRequest(creatingWithTitle: "Folder")
            let album = try AssetCollectionChangeRequest(
                creatingWithTitle: "New", in: folder.placeholderForCreatedCollectionList)
            try album.addAssets(assets)
            try album.setKeyAsset(cover)
        }
    }

    private func importFile(
        _ file: String, with companion: String? = nil, into library: PhotoLibrary
    ) throws {
        let facts = PhotoFacts(
            format: .jpeg, pixelWidth: 4, pixelHeight: 3, orientation: 1, bitsPerSample: 8,
            hasAlpha: false, colorModel: .rgb, hasFullChroma: false, isLossy: true, frameCount: 1,
            mediaSubtypes: [], creationDate: nil, location: nil)
        let blob = try library.stage(path: file)
        try library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            try request.addResource(.photo, blob: blob, filename: "picture.jpg", facts: facts)
            if let companion { try request.addResource(.alternatePhoto, path: companion) }
        }
    }

    private func edit(recipe: String, file: String, in library: PhotoLibrary) throws {
        let asset = try firstAsset(library)
        let blob = try library.stage(path: file)
        var output = ContentEditingOutput(
            contentEditingInput: try library.contentEditingInput(
                forAsset: asset.localIdentifier, placement: .appending))
        output.editingExtension = EditingExtensionIdentity(
            identifier: "org.example.filter", version: "1", binaryHash: blob.hash)
        output.adjustmentData = AdjustmentData(
            formatIdentifier: "org.example.filter", formatVersion: "1", data: Data(recipe.utf8))
        output.renderedContent = RenderedContent(
            blob: blob, key: blob.hash, ingredients: Data(), pixelWidth: 4, pixelHeight: 3,
            format: .jpeg)
        try library.performChanges {
            try AssetChangeRequest(for: output.input.asset).contentEditingOutput = output
        }
    }

    // MARK: - Many changes

    /// `edits COUNT NAME [BYTES]`: prints "committed RECIPE" after each edit. A conflict is retried,
    /// as in the host, but without a limit, because no edit may be lost here.
    private func manyEdits(_ library: PhotoLibrary) throws {
        let count = Int(try argument(0)) ?? 0
        let name = try argument(1)
        let padding = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
        for number in 0..<count {
            let recipe = "\(name) \(number)"
            let file = try write(recipe, padding: padding)
            defer { unlink(file) }
            while true {
                do {
                    try edit(recipe: recipe, file: file, in: library)
                    break
                } catch let error as LibraryError where error.code == .conflict {
                    usleep(UInt32.random(in: 1000...20_000))
                }
            }
            Self.say("committed \(recipe)")
        }
    }

    /// `group`: replaces the renditions of all edits of the first photo in one change, whose files are made
    /// durable together.
    private func group(_ library: PhotoLibrary) throws {
        let asset = try firstAsset(library)
        let edits = try library.history(ofAsset: asset.localIdentifier).states.compactMap(\.tip)
        let contents = try edits.map { edit in
            let recipe = String(decoding: edit.adjustmentData.data, as: UTF8.self)
            let file = try write(recipe, padding: 3)
            defer { unlink(file) }
            let blob = try library.stage(OpenFile(file, O_RDONLY), synchronizing: false)
            return RenderedContent(
                blob: blob, key: blob.hash, ingredients: Data(), pixelWidth: 4, pixelHeight: 3,
                format: .jpeg)
        }
        try library.performChanges {
            let request = try AssetChangeRequest(for: asset)
            for (edit, content) in zip(edits, contents) {
                try request.replaceRendition(content, kind: .current, ofEdit: edit.identifier)
            }
        }
        Self.say("committed")
    }

    /// `collect PART COUNT`: adds every COUNTth photo to the first album, the first ten at its
    /// end and the others at its start, each in its own change.
    private func collect(_ library: PhotoLibrary) throws {
        let part = Int(try argument(0)) ?? 0
        let count = Int(try argument(1)) ?? 1
        let albums = try AssetCollection.fetchAssetCollections(with: .album, in: library)
        guard let album = albums.first else { throw Usage() }
        var options = FetchOptions()
        options.sortDescriptors = [AssetSortDescriptor(.addedDate)]
        let assets = try Asset.fetchAssets(in: library, options: options)
        let own = stride(from: part, to: assets.count, by: count).map { assets[$0] }
        for (number, asset) in own.enumerated() {
            try library.performChanges {
                let request = try AssetCollectionChangeRequest(for: album)
                if number < 10 {
                    try request.addAssets([asset])
                } else {
                    try request.insertAssets([asset], at: [0])
                }
            }
            Self.say("committed \(asset.localIdentifier)")
        }
    }

    /// `watch FILE`: prints "seen TOKEN" for every change that any process commits before the file is
    /// removed.
    private func watch(_ library: PhotoLibrary, while file: String) throws {
        var token = try library.oldestChangeToken
        while true {
            let isLast = access(file, F_OK) != 0
            for change in try library.fetchPersistentChanges(since: token) {
                token = change.token
                Self.say("seen \(token)")
            }
            if isLast { return }
            usleep(2000)
        }
    }

    /// `fill BYTES`: imports new files until something fails.
    private func fill(_ library: PhotoLibrary) throws {
        let padding = Int(try argument(0)) ?? 0
        for number in 0... {
            let file = try write("photograph \(UUID())", padding: padding)
            defer { unlink(file) }
            try importFile(file, into: library)
            Self.say("committed \(number)")
        }
    }

    /// Writes a file outside the library, so that the library is not responsible for it.
    private func write(_ recipe: String, padding: Int) throws -> String {
        let file = NSTemporaryDirectory() + "/edithost-driver-\(UUID())"
        let text = "render of \(recipe)" + String(repeating: ".", count: padding)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}
