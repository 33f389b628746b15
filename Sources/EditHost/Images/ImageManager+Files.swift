// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

extension ImageManager {
    /// Writes pictures of assets to files of a folder, named like the imported files. Several are rendered
    /// concurrently. Nothing is overwritten: if a name is taken, `-1`, `-2` and so on are appended.
    ///
    /// - Parameter report: Called for each asset, in order, as soon as it is done. A failed asset leaves no file.
    /// - Throws: `HostError` with `fileFailed` if the folder is not writable; errors thrown by `report`;
    ///   `CancellationError`.
    package func writeImages(
        of identifiers: [String], to folder: String, _ options: ImageFileOptions,
        report: (_ asset: String, Result<(path: String, size: PixelSize), any Error>) async throws
            -> Void
    ) async throws {
        try PhotoLibrary.requireOutsideLibraries(folder)
        guard !identifiers.isEmpty else { return }
        let place = try NewFile.folder(folder)
        try PhotoLibrary.requireOutsideLibraries(place)
        try await drawImages(of: identifiers, options) { identifier, picture in
            let written = Result<(path: String, size: PixelSize), any Error> {
                let (asset, image) = try picture.get()
                var filename = SafeFilename(asset.originalFilename)
                filename.ending = image.format.filenameExtension
                let file = OutgoingFile(try .memory("picture", holding: image.data))
                let paths = try NewFile.write(
                    [.init(source: file, name: NumberedFilename(filename))], in: place)
                return (paths.first ?? folder, image.size)
            }
            try await report(identifier, written)
        }
    }

    /// Writes a picture of one asset. An existing file is replaced.
    ///
    /// - Returns: The size of the picture in pixels.
    /// - Throws: `HostError`, `LibraryError`, naming the asset.
    package func writeImage(
        of identifier: String, toFile path: String, _ options: ImageFileOptions
    ) async throws -> PixelSize {
        try PhotoLibrary.requireOutsideLibraries(path)
        let image = try await image(of: identifier, options)
        try NewFile.replace(path, with: .memory("picture", holding: image.data))
        return image.size
    }

    /// Renders pictures concurrently and delivers them in the order of the assets.
    func drawImages(
        of identifiers: [String], _ options: ImageFileOptions,
        deliver: (String, Result<(asset: Asset, image: EncodedImage), any Error>) async throws ->
            Void
    ) async throws {
        try await drawImages(
            of: identifiers, { try await self.image(of: $0, options) }, deliver: deliver)
    }

    /// Renders pictures with a closure, concurrently, and delivers them in the order of the assets.
    func drawImages<Image: Sendable>(
        of identifiers: [String], _ render: @escaping @Sendable (String) async throws -> Image,
        deliver: (String, Result<(asset: Asset, image: Image), any Error>) async throws -> Void
    ) async throws {
        let pictureRenderer = try pictureRenderer()
        try await forEachOrdered(identifiers, limit: pictureRenderer.host.configuration.runnerLimit)
        {
            identifier -> (String, Result<(asset: Asset, image: Image), any Error>) in
            do {
                let asset = try pictureRenderer.library.asset(withLocalIdentifier: identifier)
                return (identifier, .success((asset, try await render(identifier))))
            } catch {
                return (identifier, .failure(error))
            }
        } deliver: {
            try await deliver($0, $1)
        }
    }

    /// Renders a picture of one asset.
    ///
    /// - Throws: `HostError`, `LibraryError`, naming the asset.
    package func image(
        of identifier: String, _ options: ImageFileOptions
    ) async throws -> EncodedImage {
        try await encodedImage(
            ImageRequest(identifier, options), options.format, quality: options.quality)
    }

    /// Renders a picture of one asset as pixels, or decodes the library's cached picture.
    ///
    /// - Throws: `HostError`, `LibraryError`, naming the asset.
    func pixels(of identifier: String, _ options: ImageFileOptions) async throws -> AssetImage {
        let (pictureRenderer, source, display) = try resolved(ImageRequest(identifier, options))
        return try await pictureRenderer.image(display, of: source, .visible)
    }
}

extension ImageRequest {
    /// Creates the request for a picture of a file.
    fileprivate init(_ identifier: String, _ options: ImageFileOptions) {
        var request = options.request
        if options.size == nil, request.normalizedCropRect == .zero { request.resizeMode = .none }
        self.init(
            assetIdentifier: identifier, targetSize: options.size ?? ImageManager.maximumSize,
            contentMode: options.contentMode, options: request)
    }
}
