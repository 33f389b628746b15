// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerHost

extension ImageManager {
    /// Writes a contact sheet: a labelled grid of pictures in one file. An existing file is replaced.
    ///
    /// - Parameters:
    ///   - options: The size is that of a picture's box, 256x256 by default.
    ///   - captions: Closures that return the lines of an asset's caption.
    ///   - report: Called for each asset as soon as it is rendered. Assets that fail get a note in place of their
    ///     picture, and the beginning of their identifier as the caption.
    /// - Throws: `HostError` with `fileFailed`; errors thrown by `report`; `CancellationError`.
    package func writeContactSheet(
        of identifiers: [String], toFile path: String, _ options: ImageFileOptions,
        _ format: ContactSheetFormat, captions: [(Asset) -> String],
        report: (_ asset: String, Result<PixelSize, any Error>) async throws -> Void
    ) async throws {
        try PhotoLibrary.requireOutsideLibraries(path)
        try await NewFile.replace(path) { file in
            try await drawContactSheet(
                of: identifiers, options, format, captions: captions,
                write: { try file.append($0) }, report: report)
        }
    }

    /// Draws a contact sheet piece by piece.
    ///
    /// See ``writeContactSheet(of:toFile:_:_:captions:report:)``.
    ///
    /// - Parameter write: Called with the next bytes of the file.
    /// - Throws: Errors thrown by `write` and `report`; `CancellationError`.
    package func drawContactSheet(
        of identifiers: [String], _ options: ImageFileOptions, _ format: ContactSheetFormat,
        captions: [(Asset) -> String], write: (Data) throws -> Void,
        report: (_ asset: String, Result<PixelSize, any Error>) async throws -> Void
    ) async throws {
        var options = options
        let cell = options.size ?? PixelSize(width: 256, height: 256)
        options.size = cell
        options.contentMode = .aspectFit
        options.request.resizeMode = .exact
        // Not every SVG viewer supports WebP, so alpha is removed.
        options.request.isOpaque = true
        var sheet = format.sheet(of: identifiers.count, cell: cell, lines: captions.count)
        try write(Data(sheet.head.utf8))
        try await drawImages(of: identifiers, options) { identifier, picture in
            switch picture {
            case .success(let (asset, image)):
                try write(Data(sheet.entry(image, captions.map { $0(asset) }).utf8))
                try await report(identifier, .success(image.size))
            case .failure(let error):
                try write(Data(sheet.entry(nil, [String(identifier.prefix(8))]).utf8))
                try await report(identifier, .failure(error))
            }
        }
        try write(Data(sheet.end.utf8))
    }
}
