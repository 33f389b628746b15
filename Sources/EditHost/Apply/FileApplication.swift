// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Library
import RunnerHost

/// Renders files with edits by importing, editing and exporting them in a temporary library, so that the results have
/// the same bytes as those of any library.
struct FileApplication: Sendable {
    let host: ExtensionHost
    let edits: EditSource
    let options: ExportOptions
    /// The output folder.
    let folder: String
    /// The files to render.
    let finder: ImportFileFinder
    let cancellation: EditCancellation
    let progressHandler: EditProgressHandler?

    /// The number of groups that share a library. Their pictures occupy the temporary folder at the same time.
    private var batchCount: Int { max(16, 4 * host.configuration.runnerLimit) }

    /// Renders the files of some groups.
    ///
    /// - Parameter report: Called for each picture and video, and for files that are skipped or have failed.
    /// - Throws: `HostError`, `LibraryError` if no file can be rendered; errors of `report`; `CancellationError`.
    func run(
        _ groups: [ImportGroup], report: (AppliedFile) async throws -> Void
    ) async throws {
        let place = try PrivateFolder(for: .work)
        let path = "\(place.path)/Apply.editlibrary"
        // Videos come last, because each may belong to any of the pictures.
        let videos = groups.filter { ImportFilenameExtension.isVideo($0.primary) }
        var rest = groups.filter { !ImportFilenameExtension.isVideo($0.primary) } + videos
        var motions = groups.count > batchCount ? try await identified(videos) : [:]
        while !rest.isEmpty {
            try Task.checkCancellation()
            let batch = Array(rest.prefix(batchCount))
            rest.removeFirst(batch.count)
            // A library stores equal files once, so the next one renders the others.
            let (equal, joined) = try await run(
                batch, joining: &motions, inLibraryAt: path, report: report)
            if !joined.isEmpty { rest.removeAll(where: Set(joined).contains) }
            rest = equal + rest
        }
    }

    /// Returns the videos that have content identifiers, by these identifiers. Each may be the video of a Live Photo.
    private func identified(_ videos: [ImportGroup]) async throws -> [String: [ImportGroup]] {
        var identified: [String: [ImportGroup]] = [:]
        for video in videos {
            try Task.checkCancellation()
            guard let identifier = try await contentIdentifier(ofVideoAt: video.primary) else {
                continue
            }
            identified[identifier, default: []].append(video)
        }
        return identified
    }

    /// Returns the content identifier of a video; nil if it has none or cannot be read, which its import reports.
    private func contentIdentifier(ofVideoAt path: String) async throws -> String? {
        do {
            let (file, _) = try Importer.open(path)
            let format = try Importer.format(of: file, at: path)
            guard format.mediaType == .video, format != .video else { return nil }
            return try await host.pool.read(file, format)?.facts.metadata?.contentIdentifier
        } catch let error where error.concernsImportedFile || error.concernsOriginal {
            return nil
        }
    }

    /// Renders the files of some groups in a new library, which is removed afterwards.
    ///
    /// - Parameter motions: Videos by their content identifiers. Those of the groups' pictures are removed and rendered
    ///   too.
    /// - Returns: The groups whose picture is equal to an earlier one, and the videos taken from `motions`.
    private func run(
        _ groups: [ImportGroup], joining motions: inout [String: [ImportGroup]],
        inLibraryAt path: String, report: (AppliedFile) async throws -> Void
    ) async throws -> (equal: [ImportGroup], joined: [ImportGroup]) {
        let library = try PhotoLibrary.create(at: path)
        defer {
            try? library.close()
            try? FileManager.default.removeItem(atPath: path)
        }
        var (imported, equal) = try await importFiles(of: groups, into: library, report: report)
        let joined = try takeMotions(of: imported, in: library, from: &motions)
            .filter { !groups.contains($0) }
        if !joined.isEmpty {
            let others = try await importFiles(of: joined, into: library, report: report)
            imported += others.imported
            equal += others.equal
        }
        let sources = Dictionary(imported.map { ($0.asset, $0.path) }) { first, _ in first }
        var warnings = Dictionary(imported.map { ($0.asset, $0.warnings) }) { first, _ in first }
        var edited: [String] = []
        try await edit(imported.map(\.asset), in: library) { asset, result in
            switch result {
            case .success(let result):
                edited.append(asset)
                warnings[asset, default: []] += result.warnings
            case .failure(let error):
                try await report(AppliedFile(sources[asset] ?? "", failure: error))
            }
        }
        try await host.export(
            edited, from: library, to: folder, options, progressHandler: progressHandler
        ) { result in
            let asset = result.assetIdentifier
            try await report(
                AppliedFile(sources[asset] ?? "", result, warnings: warnings[asset] ?? []))
        }
        return (equal, joined)
    }

    /// An imported file.
    private struct Imported {
        let asset: String
        let path: String
        let warnings: [String]
    }

    /// Imports files by reference.
    ///
    /// - Returns: The pictures and videos, and the groups whose picture is equal to an earlier one.
    private func importFiles(
        of groups: [ImportGroup], into library: PhotoLibrary,
        report: (AppliedFile) async throws -> Void
    ) async throws -> (imported: [Imported], equal: [ImportGroup]) {
        let importer = Importer(
            library: library, pool: host.pool, method: .reference, of: finder)
        var imported: [Imported] = []
        var equal: [ImportGroup] = []
        func group(_ primary: String) -> ImportGroup? {
            groups.first { FileName($0.primary) == FileName(primary) }
        }
        try await importer.importAll(groups, limit: host.configuration.runnerLimit) { result in
            switch (result.status, result.resourceType) {
            case (.rejected, _):
                let error = result.error ?? HostError(.badInput, "the file cannot be read")
                try await report(AppliedFile(result.path, failure: error))
            case (.skipped, _): try await report(AppliedFile(skipped: result))
            case (.imported, .photo), (.imported, .video):
                guard let asset = result.assetIdentifier else { return }
                imported.append(
                    Imported(asset: asset, path: result.path, warnings: result.warnings))
            case (.duplicate, .photo), (.duplicate, .video):
                equal.append(group(result.path) ?? ImportGroup(primary: result.path))
            case (.duplicate, .pairedVideo):
                // A copy of a Live Photo's video is rendered as a video, unless it belongs to a copy of the picture.
                if let group = group(result.path) { equal.append(group) }
            default: break
            }
        }
        // A picture takes over its video, even if that has been imported before.
        return (try imported.filter { try Self.isStored($0.asset, in: library) }, equal)
    }

    private static func isStored(_ asset: String, in library: PhotoLibrary) throws -> Bool {
        do {
            _ = try library.asset(withLocalIdentifier: asset)
            return true
        } catch let error as LibraryError where error.code == .noSuchAsset {
            return false
        }
    }

    /// Removes and returns the videos that have the content identifiers of imported pictures.
    private func takeMotions(
        of imported: [Imported], in library: PhotoLibrary,
        from motions: inout [String: [ImportGroup]]
    ) throws -> [ImportGroup] {
        if motions.isEmpty { return [] }
        var taken: [ImportGroup] = []
        for file in imported {
            let asset = try library.asset(withLocalIdentifier: file.asset)
            guard asset.mediaType == .image, let identifier = asset.contentIdentifier else {
                continue
            }
            taken += motions.removeValue(forKey: identifier) ?? []
        }
        return taken
    }

    private func edit(
        _ assets: [String], in library: PhotoLibrary,
        report: (String, Result<EditResult, any Error>) async throws -> Void
    ) async throws {
        if case .requests(let requests) = edits, requests.count == 1 {
            return try await host.editEach(
                assets, requests[0], in: library, cancellation: cancellation,
                progressHandler: progressHandler, report: report)
        }
        try await host.applyEditsToEach(
            of: edits, to: assets, in: library, cancellation: cancellation, report: report)
    }
}
