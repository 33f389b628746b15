// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import Library

/// The Swift code of docs/guides/fetching-and-observing.md and other guides for programs, kept here so
/// that it compiles. A test compares both.
enum Snippets {
    static func makeLivePhoto(host: ExtensionHost, library: PhotoLibrary) async throws {
        let facts = try await host.photoFacts(ofFileAt: "IMG_1.HEIC")
        try await library.performChanges {
            let request = try AssetCreationRequest(mediaType: .image)
            try request.addResource(.photo, path: "IMG_1.HEIC", facts: facts)
            try request.addResource(.pairedVideo, path: "IMG_1.MOV")
        }
    }

    static func show(_ asset: Asset, host: ExtensionHost, library: PhotoLibrary) {
        let images = CachingImageManager(host: host, library: library)
        images.requestImage(for: asset, targetSize: PixelSize(width: 400, height: 400)) {
            image, info in
            guard let image else { return }
            image.withUnsafeBytes { pixels in
                print(info.isDegraded ? "quick" : "right", image.width, image.height, pixels.count)
            }
        }
    }

    static func firstBytes(of asset: Asset, images: ImageManager) async throws -> Data? {
        let video = try await images.webVideo(for: asset)
        let file = try video.fileHandle()
        return try file.read(upToCount: 1_000_000)
    }

    static func fetchBeaches(in library: PhotoLibrary) throws -> FetchResult<Asset> {
        var options = FetchOptions()
        options.predicate = .and([.isFavorite, .text(.originalFilename, .contains("beach"))])
        options.sortDescriptors = [AssetSortDescriptor(.creationDate, isAscending: false)]
        let assets = try Asset.fetchAssets(in: library, options: options)
        return assets
    }

    static func follow(
        _ assets: inout FetchResult<Asset>, _ album: inout AssetCollection?,
        in library: PhotoLibrary
    ) async throws {
        for await change in try library.changes() {
            if let details = try change.changeDetails(for: assets) {
                assets = details.fetchResultAfterChanges
                // removedIndexes, insertedIndexes, changedIndexes, enumerateMoves
            }
            if let known = album, let details = try change.changeDetails(for: known) {
                album = details.objectAfterChanges  // nil: it was deleted
            }
        }
    }

    static func makeAlbum(of assets: FetchResult<Asset>, in library: PhotoLibrary) throws {
        try library.performChanges {
            let folder = try CollectionListChangeRequest(creatingWithTitle: "2024")
            let album = try AssetCollectionChangeRequest(
                creatingWithTitle: "Summer", in: folder.placeholderForCreatedCollectionList)
            try album.addAssets(assets)
            try album.setKeyAsset(assets[0])
        }
    }

    static func addPhoto(
        at url: URL, recipe: AdjustmentData, picture: Data, album: AssetCollection,
        host: ExtensionHost, library: PhotoLibrary
    ) async throws {
        host.attach(to: library)
        try await library.performChanges {
            let request = try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
            var output = try ContentEditingOutput(
                placeholderForCreatedAsset: request.placeholderForCreatedAsset)
            output.adjustmentData = recipe
            try picture.write(to: output.renderedContentURL)
            request.contentEditingOutput = output
            try AssetCollectionChangeRequest(for: album)
                .addAssets([request.placeholderForCreatedAsset])
        }
    }

    static func edit(
        _ asset: Asset, host: ExtensionHost, library: PhotoLibrary,
        intensities: AsyncStream<Double>, show: (DisplaySizeImage) -> Void,
        confirm: () async -> Bool
    ) async throws {
        let session = try await host.openEditingSession(
            for: asset.localIdentifier, EditRequest(extensionName: "sepia"), in: library,
            displaySize: 1600)
        show(try await session.preview())
        for await intensity in intensities {
            try await session.setParameters(["intensity": .number(intensity)])
            show(try await session.preview())
        }
        if await confirm() {
            let result = try await session.finish()
            print(result.status)
        } else {
            await session.cancel()
        }
    }

    static func cancelInputRequest(
        for asset: Asset, host: ExtensionHost, library: PhotoLibrary
    ) {
        let request = host.requestContentEditingInput(for: asset, in: library) { input, info in
            // Called once, on any thread; input is nil if info.isCancelled or info.error is set.
        }
        host.cancelContentEditingInputRequest(request)
    }

    static func editLivePhoto(
        _ input: ContentEditingInput, _ recipe: AdjustmentData
    ) async throws {
        guard let context = LivePhotoEditingContext(livePhotoEditingInput: input) else { return }
        context.frameProcessor = { frame in
            // Frames are 8-bit sRGB. The still has 8 or 16 bits, in the photo's profile.
            guard frame.image.pixelFormat == .rgb8 else { return frame.image }
            return try AssetImage(
                Data(frame.image.data.map { 255 - $0 }), size: frame.image.size, pixelFormat: .rgb8,
                profile: frame.image.profile, originalProfile: frame.image.originalProfile)
        }
        var output = ContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = recipe
        try await context.saveLivePhoto(to: output)
    }
}
