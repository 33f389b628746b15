// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library

/// What pictures are written into files: which, how large, and in which format.
package struct ImageFileOptions: Sendable {
    /// The box, in pixels; nil: as large as the version is.
    package var size: PixelSize?
    /// Whether it is fitted into or covered.
    package var contentMode = ImageContentMode.aspectFit
    /// Version, resize mode and crop.
    package var request = ImageRequestOptions()
    /// Nil: JPEG, with alpha WebP.
    package var format: MediaFormat?
    /// 1...100, for a format with loss; nil for the usual.
    package var quality: Int?

    /// Makes the options that hold where none are given.
    package init() {}
}

extension ImageManager {
    /// Writes pictures of assets into files of a folder, under the names that the assets were imported with,
    /// and tells of each in their order. Several are drawn side by side. Nothing is overwritten: where a
    /// name is taken, it gets `-1`, `-2` and so on.
    ///
    /// - Parameter report: told of every asset as soon as it is done; of one that failed, no file is left.
    /// - Throws: `HostError` with `fileFailed` where nothing can be written into the folder; what `report`
    ///   throws; `CancellationError`.
    package func writeImages(
        of identifiers: [String], to folder: String, _ options: ImageFileOptions,
        report: (_ asset: String, Result<(path: String, size: PixelSize), any Error>) async throws
            -> Void
    ) async throws {
        try PhotoLibrary.requireOutsideLibraries(folder)
        guard !identifiers.isEmpty else { return }
        let place = try NewFile.folder(folder)
        try PhotoLibrary.requireOutsideLibraries(place)
        try await drawImages(of: identifiers, options) { asset, picture in
            let written = Result<(path: String, size: PixelSize), any Error> {
                let (name, image) = try picture.get()
                var filename = SafeFilename(name)
                filename.ending = image.format.filenameExtension
                let file = OutgoingFile(try .memory("picture", holding: image.data))
                let paths = try NewFile.write(
                    [.init(source: file, name: NumberedFilename(filename))], in: place)
                return (paths.first ?? folder, image.size)
            }
            try await report(asset, written)
        }
    }

    /// Writes a picture of one asset; a file that is there is replaced.
    ///
    /// - Returns: its size in pixels.
    /// - Throws: `HostError`, `LibraryError`, naming the asset.
    package func writeImage(
        of identifier: String, toFile path: String, _ options: ImageFileOptions
    ) async throws -> PixelSize {
        try PhotoLibrary.requireOutsideLibraries(path)
        let image = try await image(of: identifier, options)
        try NewFile.replace(path, with: .memory("picture", holding: image.data))
        return image.size
    }

    /// Draws pictures, several side by side, and hands them on in the assets' order, with their names.
    func drawImages(
        of identifiers: [String], _ options: ImageFileOptions,
        deliver: (String, Result<(name: String, image: EncodedImage), any Error>) async throws ->
            Void
    ) async throws {
        let drawer = try drawer()
        try await forEachOrdered(identifiers, limit: drawer.host.configuration.runnerLimit) {
            identifier -> (String, Result<(name: String, image: EncodedImage), any Error>) in
            do {
                let asset = try drawer.library.asset(withLocalIdentifier: identifier)
                let image = try await self.image(of: identifier, options)
                return (identifier, .success((asset.originalFilename, image)))
            } catch {
                return (identifier, .failure(error))
            }
        } deliver: {
            try await deliver($0, $1)
        }
    }

    private func image(
        of identifier: String, _ options: ImageFileOptions
    ) async throws -> EncodedImage {
        var request = options.request
        if options.size == nil, request.normalizedCropRect == .zero { request.resizeMode = .none }
        return try await encodedImage(
            ImageRequest(
                assetIdentifier: identifier, targetSize: options.size ?? Self.maximumSize,
                contentMode: options.contentMode, options: request), options.format,
            quality: options.quality)
    }
}
