// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerHost

extension ImageManager {
    /// Writes a contact sheet: a labelled grid of pictures in one file, or in JPEG one file per page. An existing
    /// file is replaced, but not by one of several pages.
    ///
    /// - Parameters:
    ///   - options: The size is that of a picture's box, 256x256 by default.
    ///   - captions: Closures that return the lines of an asset's caption.
    ///   - report: Called for each asset as soon as it is rendered, in JPEG as soon as its page is written. Assets that
    ///     fail get a note in place of their picture, and the beginning of their identifier as the caption.
    ///   - written: Called for each written file with its path and the number of its pictures.
    /// - Throws: `HostError` with `fileFailed`, `badRequest` or `badConfiguration`; errors thrown by `report` and
    ///   `written`; `CancellationError`.
    package func writeContactSheet(
        of identifiers: [String], toFile path: String, _ options: ImageFileOptions,
        _ format: ContactSheetFormat, captions: [(Asset) -> String],
        report: (_ asset: String, Result<PixelSize, any Error>) async throws -> Void,
        written: (_ path: String, _ count: Int) throws -> Void
    ) async throws {
        try PhotoLibrary.requireOutsideLibraries(path)
        guard format != .jpeg else {
            return try await writeContactSheetPages(
                of: identifiers, toFile: path, options, captions: captions, report: report,
                written: written)
        }
        var count = 0
        try await NewFile.replace(path) { file in
            try await drawContactSheet(
                of: identifiers, options, format, captions: captions,
                write: { try file.append($0) },
                report: { asset, result in
                    if case .success = result { count += 1 }
                    try await report(asset, result)
                })
        }
        try written(path, count)
    }

    /// Draws a contact sheet in a single file, piece by piece.
    ///
    /// See ``writeContactSheet(of:toFile:_:_:captions:report:written:)``.
    ///
    /// - Parameter write: Called with the next bytes of the file.
    /// - Throws: Errors thrown by `write` and `report`; `HostError` with `badRequest` or `badConfiguration`;
    ///   `CancellationError`.
    package func drawContactSheet(
        of identifiers: [String], _ options: ImageFileOptions, _ format: ContactSheetFormat,
        captions: [(Asset) -> String], write: (Data) throws -> Void,
        report: (_ asset: String, Result<PixelSize, any Error>) async throws -> Void
    ) async throws {
        let (options, cell) = options.forContactSheet
        try format.require(cell)
        var sheet = try format.sheet(of: identifiers.count, cell: cell, lines: captions.count)
        try write(sheet.head)
        try await drawImages(of: identifiers, options) { identifier, picture in
            let found = try? picture.get()
            // A picture that was cancelled would become a note on the sheet.
            if found == nil { try Task.checkCancellation() }
            let caption = Self.caption(captions, of: found?.asset, identifier)
            try write(try sheet.entry(found?.image, caption))
            try await report(identifier, picture.map(\.image.size))
        }
        try write(try sheet.end())
    }

    private static func caption(
        _ captions: [(Asset) -> String], of asset: Asset?, _ identifier: String
    ) -> [String] {
        asset.map { asset in captions.map { $0(asset) } } ?? [String(identifier.prefix(8))]
    }

    // MARK: - JPEG

    /// Writes a contact sheet as JPEG files, each as soon as its page is complete.
    private func writeContactSheetPages(
        of identifiers: [String], toFile path: String, _ options: ImageFileOptions,
        captions: [(Asset) -> String],
        report: (_ asset: String, Result<PixelSize, any Error>) async throws -> Void,
        written: (_ path: String, _ count: Int) throws -> Void
    ) async throws {
        let (options, cell) = options.forContactSheet
        try ContactSheetFormat.jpeg.require(cell)
        var sheet = try PagedContactSheet(
            of: identifiers.count, cell: cell, lines: captions.count, .jpeg)
        var paths = Self.pagePaths(of: path, count: sheet.layout.pageCount)[...]
        // The user has named only the sheet, and may not expect that it has several files.
        let replaces = paths.count == 1
        for path in paths {
            try NewFile.requireReplaceable(path)
            if !replaces { try NewFile.requireAbsent(path) }
        }
        var results: [(asset: String, result: Result<PixelSize, any Error>)] = []
        func finishPage(_ pixels: Data) async throws {
            guard !pixels.isEmpty, let path = paths.popFirst(), let size = sheet.pixelSize else {
                return
            }
            // Pictures that were cancelled are notes on the page.
            try Task.checkCancellation()
            let file = try await pictureRenderer().host.pool.jpeg(
                ofRGB: pixels, size, quality: options.quality)
            if replaces {
                try NewFile.replace(path, with: file)
            } else {
                try NewFile.make(path, with: OutgoingFile(file))
            }
            for (asset, result) in results { try await report(asset, result) }
            try written(path, results.count { (try? $0.result.get()) != nil })
            results = []
        }
        try await drawImages(of: identifiers) {
            try await self.pixels(of: $0, options)
        } deliver: { identifier, picture in
            let found = try? picture.get()
            let caption = Self.caption(captions, of: found?.asset, identifier)
            results.append((identifier, picture.map(\.image.size)))
            try await finishPage(try sheet.entry(found?.image, caption))
        }
        try await finishPage(try sheet.end())
    }

    /// Returns the paths of pages: the path itself for one page, otherwise with the number of the page before the
    /// filename extension. The numbers have the same length, so that the names sort.
    static func pagePaths(of path: String, count: Int) -> [String] {
        guard count > 1, let dot = path.lastIndex(of: ".") else { return [path] }
        return (1...count).map { number in
            let digits = String(number)
            let zeros = String(repeating: "0", count: String(count).count - digits.count)
            return "\(path[..<dot])-\(zeros)\(digits)\(path[dot...])"
        }
    }
}

extension ImageFileOptions {
    /// The options of the pictures of a contact sheet, and the size of their boxes.
    fileprivate var forContactSheet: (options: ImageFileOptions, cell: PixelSize) {
        var options = self
        let cell = size ?? PixelSize(width: 256, height: 256)
        options.size = cell
        options.contentMode = .aspectFit
        options.request.resizeMode = .exact
        // Not every SVG viewer supports WebP, so alpha is removed.
        options.request.isOpaque = true
        return (options, cell)
    }
}
