// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Library

extension ExtensionHost {
    /// Imports files and the contents of folders, and adds and reports each file in the order found.
    ///
    /// Separate videos are imported and reported last, because they may belong to pictures. A RAW beside a JPEG
    /// or HEIC of the same name, and AAE and XMP files beside a picture, are stored with it byte for byte and
    /// reported after it. If the library already contains the picture, its asset gets the companions that it
    /// lacks. A changed XMP file replaces the stored one, and its values are used unless they were set in the
    /// library.
    ///
    /// The path of a file's folder, relative to the imported folder, is stored as ``Asset/originalFolder``. If an asset
    /// has none yet, it gets that of a file with the same content.
    ///
    /// In each burst with new photos, the sharpest and best exposed one is marked as
    /// ``AssetBurstSelectionType/autoPick`` (docs/reference/bursts.md). The user's picks are kept.
    ///
    /// - Parameters:
    ///   - paths: Files and folders. Folders are searched recursively, ignoring hidden files, `@eaDir`, `Thumbs.db`
    ///     and `lost+found`.
    ///   - library: The target library.
    ///   - method: The method, which copies, moves or references the files.
    ///   - again: Whether to read files again that the library already contains, like ``readAgain(_:report:)``.
    ///   - precedence: Which value to use if a file and its sidecar differ.
    ///   - patterns: Glob patterns of files and folders to leave out, compared with names and with paths relative to
    ///     the imported folder as `fnmatch` with `FNM_PATHNAME` does. Those that end with a slash match only folders.
    ///   - makingAlbums: Whether to make albums from the folders in the imported folders, in one change at the end.
    ///     Photos that the library already contains are added to them too. Albums of the same name at the same place
    ///     are used.
    ///   - unused: Called with the patterns that match nothing, if there are any.
    ///   - found: Called with the number of files before the first one is read.
    ///   - report: Called for each file as soon as it is done.
    ///
    /// A file that was rejected because of its contents is remembered. If it is found in a folder again, it is reported
    /// as ``ImportResult/Status/rejectedBefore`` and not read, unless `again` is true or another version of this program
    /// rejected it.
    ///
    /// - Returns: What the import did besides its results.
    /// - Throws: `HostError` with `runnerUnavailable`, `LibraryError` if the library itself is unusable. Files
    ///   imported before stay.
    @discardableResult
    public func importPhotos(
        at paths: [String], into library: PhotoLibrary, by method: ImportMethod = .copy,
        again: Bool = false, prefer precedence: MetadataPrecedence = .sidecar,
        excluding patterns: [String] = [], makingAlbums: Bool = false,
        unused: ([String]) -> Void = { _ in }, found: (Int) -> Void = { _ in },
        report: (ImportResult) async throws -> Void
    ) async throws -> ImportOutcome {
        let finder = ImportFileFinder(paths, excluding: patterns)
        if !finder.unusedPatterns.isEmpty { unused(finder.unusedPatterns.map(\.text)) }
        let importer = Importer(
            library: library, pool: pool, method: method, of: finder, readsAgain: again,
            precedence: precedence)
        var imported: [String] = []
        var albums = FolderAlbums(
            titles: makingAlbums ? try await importer.albumTitles() : [:])
        found(finder.files.count + finder.skipped.count)
        for result in finder.skipped { try await report(result) }
        try await importer.importAll(finder.groups, limit: configuration.runnerLimit) { result in
            if [.imported, .restored].contains(result.status), result.resourceType == .photo,
                let identifier = result.assetIdentifier
            {
                imported.append(identifier)
            }
            if makingAlbums { albums.add(result, in: finder.folders) }
            try await report(result)
        }
        let picker = BurstPicker(
            renderer: renderer(of: library, for: .preview), library: library, logger: logger)
        try await picker.pick(afterImportOf: imported)
        let count = makingAlbums ? try await albums.make(in: library) : 0
        return ImportOutcome(
            albumCount: count, unrememberedCount: importer.rejections.lostCount)
    }

    /// Reports what ``importPhotos(at:into:by:again:prefer:excluding:makingAlbums:unused:found:report:)`` would do with each file, from names,
    /// first bytes and hashes. Nothing is decoded or changed, so a damaged file is not found.
    ///
    /// - Parameter library: The target library; nil if it does not exist yet.
    /// - Throws: `LibraryError` if the library itself is unusable; `CancellationError`.
    public func previewImport(
        at paths: [String], into library: PhotoLibrary?, excluding patterns: [String] = [],
        unused: ([String]) -> Void = { _ in }, found: (Int) -> Void = { _ in },
        report: (ImportResult) async throws -> Void
    ) async throws {
        let finder = ImportFileFinder(paths, excluding: patterns)
        if !finder.unusedPatterns.isEmpty { unused(finder.unusedPatterns.map(\.text)) }
        found(finder.files.count + finder.skipped.count)
        for result in finder.skipped { try await report(result) }
        var preview = ImportPreview(into: library, of: finder)
        let groups = finder.groups
        let videos = groups.filter { ImportFilenameExtension.isVideo($0.primary) }
        for group in groups.filter({ !ImportFilenameExtension.isVideo($0.primary) }) + videos {
            try Task.checkCancellation()
            for result in try preview.results(of: group) { try await report(result) }
        }
    }

    /// Reads the metadata of a library's originals and sidecars again.
    ///
    /// This is useful if an earlier version of this program read less of them, or had no runner for videos.
    /// Size, duration, media subtypes, camera and exposure are replaced. Dates, locations, titles,
    /// descriptions, labels, ratings and keywords are updated unless they were set in the library.
    ///
    /// Pictures and videos that are separate assets with the same content identifier are joined to Live Photos.
    /// A video that has edits, marks, descriptions or sidecars, or is in an album, stays separate.
    ///
    /// - Parameters:
    ///   - library: The library to read. Assets with an unavailable original are left unchanged.
    ///   - precedence: Which value to use if an original and its sidecar differ.
    ///   - found: Called with the number of assets before the first one is read.
    ///   - report: Called for each asset as soon as it is done, with the original's filename as its path.
    ///     Called once more for a picture that was joined with its video.
    /// - Throws: The errors of ``importPhotos(at:into:by:again:prefer:excluding:makingAlbums:unused:found:report:)``.
    public func readAgain(
        _ library: PhotoLibrary, prefer precedence: MetadataPrecedence = .sidecar,
        found: (Int) -> Void = { _ in },
        report: (ImportResult) async throws -> Void
    ) async throws {
        let importer = Importer(
            library: library, pool: pool, readsAgain: true, precedence: precedence)
        let assets = try Asset.fetchAssets(in: library, options: .everything).elements()
        found(assets.count)
        try await forEachOrdered(
            assets, limit: configuration.runnerLimit,
            { asset in await Self.result { try await importer.readAgain(asset, as: nil) } },
            deliver: { try await report($0.get()) })
        // Joined last, once the content identifiers of both parts of a Live Photo have been read.
        for asset in assets where asset.mediaType == .image {
            try Task.checkCancellation()
            if let joined = try await importer.joinStored(asset) { try await report(joined) }
        }
    }

    private static func result<Value: Sendable>(
        _ body: () async throws -> Value
    ) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
