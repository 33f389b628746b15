// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

/// `survey` and `shake`: every query of a library, and every change to it, regardless of the result
/// of each.
///
/// Prints "damaged: WHAT" if the library throws that it or one of its files is damaged, and
/// "unexpected: WHAT" if it throws an error that a library must not throw. A program stopped by a
/// signal prints nothing.
struct Survey {
    private let library: PhotoLibrary

    /// Codes of defects of the library, or of the request.
    private static let expected: Set<LibraryError.Code> = [
        .noSuchAsset, .noSuchEdit, .noSuchCollection, .folderInItself, .conflict, .originalMissing,
        .referencedFileChanged, .blobMissing, .renditionMissing, .nothingToUndo, .nothingToRedo,
        .invalidRequest, .unsupportedMediaType, .changeTokenExpired, .invalidChangeToken,
        .ambiguousIdentifier, .cannotWrite, .cannotRead, .invalidAdjustmentData,
    ]
    /// Codes of damage, which `check` must find too. A file is damaged if the database states a
    /// smaller size.
    private static let damage: Set<LibraryError.Code> = [
        .damaged, .originalDamaged, .renditionDamaged,
    ]
    /// Codes with which a library that other programs have written to may fail to open.
    private static let refusals: Set<LibraryError.Code> = [.notALibrary, .newerSchema, .readOnly]

    /// Opens a library. Returns nil if that fails with an error that is reported.
    init?(_ path: String, isReadOnly: Bool) {
        var options = PhotoLibrary.Options()
        options.isReadOnly = isReadOnly
        do {
            library = try PhotoLibrary.open(at: path, options: options)
        } catch {
            Self.report(error, "open", Self.refusals)
            return nil
        }
    }

    private static func report(
        _ error: any Error, _ what: String, _ expected: Set<LibraryError.Code>
    ) {
        guard let error = error as? LibraryError else {
            return Driver.say("unexpected: \(what): \(error)")
        }
        if damage.contains(error.code) {
            Driver.say("damaged: \(what): \(error)")
        } else if !expected.contains(error.code) {
            Driver.say("unexpected: \(what): \(error.code.rawValue): \(error)")
        }
    }

    private func attempt(_ what: String, _ body: () throws -> Void) {
        do { try body() } catch { Self.report(error, what, Self.expected) }
    }

    private func attempt<Value>(_ what: String, else other: Value, _ body: () throws -> Value)
        -> Value
    {
        var result = other
        attempt(what) { result = try body() }
        return result
    }

    /// Prints the findings of `check`.
    static func check(_ path: String) {
        do {
            let report = try PhotoLibrary.check(at: path, readingDataOf: 100)
            Driver.say("check: \(report.severity)")
            for finding in report.findings { Driver.say("finding: \(finding.detail)") }
        } catch {
            report(error, "check", refusals)
            Driver.say("check: refused")
        }
    }

    // MARK: - Reading

    private var everything: FetchOptions {
        var options = FetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        options.includeAssetSourceTypes = AssetSourceType(rawValue: -1)
        return options
    }

    private func assets(_ options: FetchOptions) -> [Asset] {
        attempt("fetch", else: []) {
            var assets: [Asset] = []
            try Asset.fetchAssets(in: library, options: options).enumerateObjects { asset, _ in
                assets.append(asset)
            }
            return assets
        }
    }

    /// Runs every query.
    func read() {
        for asset in assets(everything) { read(asset) }
        _ = assets(FetchOptions())
        readPredicates()
        readCollections()
        attempt("history") {
            let changes = try library.fetchPersistentChanges(since: library.oldestChangeToken)
            _ = changes.map { "\($0.date) \($0.items.count)" }
        }
        attempt("extensions") { _ = try library.editingExtensionIdentifiers() }
        attempt("away") { _ = try library.identifiersOfAssetsAway() }
        attempt("identifier") { _ = try library.identifier }
        attempt("prefix") { _ = try library.asset(withIdentifierPrefix: "0") }
    }

    private func read(_ asset: Asset) {
        // The command prints these values.
        _ = "\(asset)" + (asset.captureDate?.text ?? "")
        attempt("asset history") {
            let history = try library.history(ofAsset: asset.id)
            _ = "\(history)".count
            if let original = history.original {
                _ = library.availability(of: original)
                attempt("original") { _ = try library.openOriginal(original) }
            }
        }
        attempt("keywords") { _ = try asset.keywords(in: library) }
        attempt("ability") { _ = try asset.canPerform(.content, in: library) }
        attempt("resources") { _ = try AssetResource.assetResources(for: asset, in: library) }
        attempt("moment") {
            _ = try AssetCollection.fetchAssetCollectionsContaining(
                asset, with: .moment, in: library)
        }
        attempt("burst") {
            guard let burst = asset.burstIdentifier else { return }
            try Asset.fetchAssets(withBurstIdentifier: burst, in: library).load()
        }
    }

    private func readPredicates() {
        let origin = Location(latitude: 47, longitude: 8)
        let predicates: [AssetPredicate] = [
            .text(.originalFilename, .contains("pic")), .text(.cameraMake, .beginsWith("a")),
            .keyword(.contains("e")), .rating(.atLeast(1)), .isInBurst, .hasAdjustments,
            .editedBy("org.example.filter"), .duration(.atLeast(0)),
            .date(.creation, .missing), .size(.pixelWidth, .atLeast(1)),
        ]
        let near = origin.map { [AssetPredicate.near($0, metres: 1000)] } ?? []
        for predicate in predicates + near {
            var options = everything
            options.predicate = predicate
            options.sortDescriptors = [AssetSortDescriptor(.originalFilename)]
            _ = assets(options)
            attempt("count") { _ = try Asset.count(in: library, options: options) }
        }
    }

    private func readCollections() {
        for type in [AssetCollectionType.album, .smartAlbum, .moment] {
            attempt("collections") {
                let found = try AssetCollection.fetchAssetCollections(with: type, in: library)
                try found.enumerateObjects { collection, _ in
                    try Asset.fetchAssets(in: collection, library: library)
                        .enumerateObjects { _, _ in }
                    try Asset.fetchKeyAssets(in: collection, library: library)?
                        .enumerateObjects { _, _ in }
                }
            }
        }
        attempt("folders") {
            try CollectionList.fetchCollectionLists(in: library).enumerateObjects { list, _ in
                try CollectionList.fetchCollections(in: list, library: library)
                    .enumerateObjects { _, _ in }
            }
            try CollectionList.fetchTopLevelUserCollections(in: library).enumerateObjects { _, _ in
            }
        }
        attempt("collection named") { _ = try library.collections(named: "Album") }
    }

    // MARK: - Changing

    /// Makes every change, the destructive ones last.
    func change(picture: String) {
        let assets = assets(everything)
        // A fetch result from before the changes must be updated after them.
        let held = attempt("held", else: nil) { try Asset.fetchAssets(in: library) }
        for asset in assets { change(asset) }
        changeAlbums(assets)
        attempt("import") {
            let blob = try library.stage(path: picture)
            try library.performChanges {
                let request = try AssetCreationRequest(mediaType: .image)
                try request.addResource(.photo, blob: blob, filename: "new.jpg", facts: nil)
                request.burstIdentifier = "burst"
            }
        }
        if let held { attempt("held") { try held.load() } }
        attempt("prune") { _ = try library.prune() }
        attempt("delete") {
            try library.performChanges { try AssetChangeRequest.removeAssets(assets) }
        }
        attempt("empty") { _ = try library.prune(emptyingTrash: true) }
    }

    private func change(_ asset: Asset) {
        func perform(_ what: String, _ body: (AssetChangeRequest) throws -> Void) {
            attempt(what) {
                let now = try library.asset(withLocalIdentifier: asset.id)
                try library.performChanges { try body(AssetChangeRequest(for: now)) }
            }
        }
        perform("favourite") { $0.isFavorite.toggle() }
        perform("keyword") { try $0.addKeyword("new") }
        perform("undo") { try $0.undo() }
        perform("redo") { try $0.redo() }
        perform("revert") { try $0.revertAssetContentToOriginal() }
        perform("burst") { $0.burstIdentifier = "another" }
    }

    private func changeAlbums(_ assets: [Asset]) {
        var albums: [AssetCollection] = []
        attempt("albums") {
            try AssetCollection.fetchAssetCollections(with: .album, in: library)
                .enumerateObjects { album, _ in albums.append(album) }
        }
        for album in albums {
            attempt("add") {
                try library.performChanges {
                    try AssetCollectionChangeRequest(for: album).addAssets(assets)
                }
            }
            attempt("insert") {
                try library.performChanges {
                    let request = try AssetCollectionChangeRequest(for: album)
                    try request.moveAssets(at: [0], to: 1)
                }
            }
        }
        changeFolders()
    }

    private func changeFolders() {
        var folders: [CollectionList] = []
        attempt("folders") {
            try CollectionList.fetchCollectionLists(in: library)
                .enumerateObjects { folder, _ in folders.append(folder) }
        }
        for folder in folders.reversed() {
            attempt("put") {
                try library.performChanges {
                    _ = try AssetCollectionChangeRequest(creatingWithTitle: "New", in: folder)
                }
            }
            attempt("nest") {
                guard let first = folders.first else { return }
                try library.performChanges {
                    try CollectionListChangeRequest(for: folder)
                        .addChildCollections([first])
                }
            }
        }
        for folder in folders {
            attempt("delete folder") {
                try library.performChanges {
                    try CollectionListChangeRequest.deleteCollectionLists([folder])
                }
            }
        }
    }
}
