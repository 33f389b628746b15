// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Library

extension ExtensionHost {
    /// Imports files, and what lies in folders, and tells of each in the order found, of videos by themselves last: they may belong
    /// to pictures.
    ///
    /// A RAW beside a JPEG or HEIC of the same name, and AAE and XMP files beside a picture, are kept
    /// with it, byte for byte, and told of after it. Where the library has the picture already, its
    /// asset gets those of them that it lacks.
    ///
    /// Of each burst that new photographs are of, the sharpest and best exposed one gets the mark
    /// ``AssetBurstSelectionType/autoPick``; what the user has picked stays.
    ///
    /// - Parameters:
    ///   - paths: files and folders; folders are searched recursively, without hidden files.
    ///   - library: where they go.
    ///   - method: what is done with the files.
    ///   - again: whether what the library has already is read again; see ``readAgain(_:report:)``.
    ///   - found: told before the first file is read how many there are.
    ///   - report: told of every file as soon as it is done.
    /// - Throws: `HostError` with `runnerUnavailable`, `LibraryError` where the library itself
    ///   cannot be used; what was imported before stays.
    public func importPhotos(
        at paths: [String], into library: PhotoLibrary, by method: ImportMethod = .copy,
        again: Bool = false, found: (Int) -> Void = { _ in },
        report: (ImportResult) async throws -> Void
    ) async throws {
        let importer = Importer(
            library: library, pool: pool, method: method, named: Set(paths.map { FileName($0) }),
            readsAgain: again)
        let groups = ImportGroup.groups(of: paths.flatMap(FoundFiles.search))
        var imported: [String] = []
        found(groups.reduce(0) { $0 + 1 + $1.companions.count })
        let videos = groups.filter { ImportGroup.isVideo($0.primary) }
        for part in [groups.filter { !ImportGroup.isVideo($0.primary) }, videos] {
            try await forEachOrdered(
                part, limit: configuration.runnerLimit,
                { group in await Self.result { try await importer.importGroup(group) } },
                deliver: { results in
                    for result in try results.get() {
                        if result.status == .imported, result.resourceType == .photo,
                            let identifier = result.assetIdentifier
                        {
                            imported.append(identifier)
                        }
                        try await report(result)
                    }
                })
        }
        let picker = BurstPicker(renderer: renderer(of: library, for: .preview), logger: logger)
        try await picker.pick(afterImportOf: imported)
    }

    /// Reads again what the originals of a library and their sidecars say: an earlier version of this program may
    /// have understood less of them, or had no runner that opens videos.
    ///
    /// Size, length, kinds, camera and exposure are replaced; dates, positions, titles, descriptions, labels, ratings and
    /// keywords are set where there are none. Pictures and videos that came as assets of their own, and are the halves of Live
    /// Photos by their content identifiers, are joined, unless somebody has edited, marked, described or filed the video.
    ///
    /// - Parameters:
    ///   - library: what is read; assets whose original is away are left as they are.
    ///   - found: told before the first file is read how many there are.
    ///   - report: told of every asset as soon as it is done, with the original's name for its path; once more of a picture
    ///     to which its video was joined.
    /// - Throws: as ``importPhotos(at:into:by:again:found:report:)``.
    public func readAgain(
        _ library: PhotoLibrary, found: (Int) -> Void = { _ in },
        report: (ImportResult) async throws -> Void
    ) async throws {
        let importer = Importer(library: library, pool: pool, method: .copy, named: [])
        let assets = try Asset.fetchAssets(in: library, options: .everything).elements()
        found(assets.count)
        try await forEachOrdered(
            assets, limit: configuration.runnerLimit,
            { asset in await Self.result { try await importer.readAgain(asset, as: nil) } },
            deliver: { try await report($0.get()) })
        // Only now both halves of a Live Photo say what they are.
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

/// What an import does with the files.
public enum ImportMethod: String, Sendable, CaseIterable {
    /// Copies them, and leaves them where they are. Where the file system can, the copies share the
    /// blocks of the files.
    case copy
    /// Copies them, and removes each from its place when the library has it for good.
    case move
    /// Leaves them where they are, and stores no bytes: the library refers to them.
    case reference
}

/// What became of one file that was to be imported.
public struct ImportResult: Sendable {
    /// How it ended.
    public enum Status: String, Sendable {
        /// It is a new asset.
        case imported
        /// The library has it already.
        case duplicate
        /// The library has it already, and now knows more or other things of it.
        case updated
        /// It is not a photograph: a sidecar of none, or a film that lay in a folder.
        case skipped
        /// It looks like one, but cannot be used.
        case rejected
    }

    /// The path as it was found.
    public let path: String
    /// The asset, new or existing.
    public var assetIdentifier: String?
    /// What the file is to the asset; nil where it is none's.
    public var resourceType: AssetResourceType?
    /// How it ended.
    public let status: Status
    /// Why it was skipped or rejected.
    public var error: (any Error)?
    /// Things worth telling, for example that only the first frame is used.
    public var warnings: [String] = []
}
