// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerHost

extension ImageManager {
    /// Writes a contact sheet: a labelled grid of pictures in one SVG file. An existing file is replaced.
    ///
    /// - Parameters:
    ///   - options: The size is that of a picture's box, 256x256 by default.
    ///   - report: Called for each asset as soon as it is rendered. Assets that fail get a note in place of their
    ///     picture.
    /// - Throws: `HostError` with `fileFailed`; errors thrown by `report`; `CancellationError`.
    package func writeContactSheet(
        of identifiers: [String], toFile path: String, _ options: ImageFileOptions,
        report: (_ asset: String, Result<PixelSize, any Error>) async throws -> Void
    ) async throws {
        try PhotoLibrary.requireOutsideLibraries(path)
        let sheet = try await contactSheet(of: identifiers, options, report: report)
        try NewFile.replace(path, with: .memory("contact sheet", holding: sheet))
    }

    /// Returns a contact sheet as an SVG file. See ``writeContactSheet(of:toFile:_:report:)``.
    package func contactSheet(
        of identifiers: [String], _ options: ImageFileOptions,
        report: (_ asset: String, Result<PixelSize, any Error>) async throws -> Void
    ) async throws -> Data {
        var options = options
        let cell = options.size ?? PixelSize(width: 256, height: 256)
        options.size = cell
        options.contentMode = .aspectFit
        options.request.resizeMode = .exact
        // Not every SVG viewer supports WebP, so alpha is removed.
        options.request.isOpaque = true
        var sheet = ContactSheet(cell: cell)
        try await drawImages(of: identifiers, options) { asset, picture in
            switch picture {
            case .success(let (name, image)):
                sheet.add(image, name: name)
                try await report(asset, .success(image.size))
            case .failure(let error):
                sheet.add(nil, name: String(asset.prefix(8)), note: "cannot be rendered")
                try await report(asset, .failure(error))
            }
        }
        return sheet.svg
    }
}
