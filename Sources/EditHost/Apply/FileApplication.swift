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
    var options: ExportOptions
    /// The output folder.
    let folder: String
    /// The files to render.
    let finder: ImportFileFinder
    let cancellation: EditCancellation
    let progressHandler: EditProgressHandler?
    /// Whether to report the files without rendering them.
    let isDryRun: Bool

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
        // Copying an empty library is faster than creating one, whose database gets all versions of the format in turn.
        let empty = "\(place.path)/Empty.editlibrary"
        try PhotoLibrary.create(at: empty).close()
        var rest = PendingGroups(groups, copies: PossibleCopies(among: groups.map(\.primary)))
        let isOneBatch = groups.count <= batchCount && !rest.hasCopies
        var motions = isOneBatch ? MotionCandidates() : try await candidates(groups)
        while true {
            try Task.checkCancellation()
            let batch = rest.removeFirst(batchCount)
            if batch.isEmpty { return }
            let path = "\(place.path)/Apply.editlibrary"
            defer { try? FileManager.default.removeItem(atPath: path) }
            try Self.copyLibrary(at: empty, to: path)
            let library = try PhotoLibrary.open(at: path)
            defer { try? library.close() }
            try await run(
                batch, before: &rest, joining: &motions, in: library, report: report)
        }
    }

    private static func copyLibrary(at source: String, to path: String) throws {
        do {
            try FileManager.default.copyItem(atPath: source, toPath: path)
        } catch {
            throw HostError(
                .fileFailed, "the temporary library \(path) cannot be created: \(error)",
                underlying: error)
        }
    }

    /// Renders the files of some groups in an empty library.
    ///
    /// - Parameters:
    ///   - rest: The groups to render later. Videos of this batch's pictures are removed from them. Groups whose
    ///     picture is equal to an earlier one, and videos that may belong to a later picture, are added.
    ///   - motions: The videos in all groups. Those that are rendered are removed.
    private func run(
        _ groups: [ImportGroup], before rest: inout PendingGroups,
        joining motions: inout MotionCandidates, in library: PhotoLibrary,
        report: (AppliedFile) async throws -> Void
    ) async throws {
        var identifiers: [FileName: String] = [:]
        for video in groups.flatMap({ [$0] + $0.motions }) {
            identifiers[FileName(video.primary)] = motions.remove(video.primary)
        }
        var (imported, equal) = try await importFiles(of: groups, into: library, report: report)
        let joined = try await takeMotions(of: imported, in: library, from: &motions)
        if !joined.isEmpty {
            rest.take(joined)
            let others = try await importFiles(of: joined, into: library, report: report)
            imported += others.imported
            equal += others.equal
        }
        // A video beside a picture with another content identifier may belong to a later picture.
        if rest.hasPictures {
            for video in groups.flatMap(\.motions) {
                let name = FileName(video.primary)
                guard let identifier = identifiers[name],
                    let place = imported.firstIndex(where: { FileName($0.path) == name })
                else { continue }
                imported.remove(at: place)
                motions.add(video, identifier)
                rest.append(video)
            }
        }
        // These are videos of copied Live Photos, and files that became equal while the command ran. The next library
        // renders them.
        rest.prepend(equal)
        try await render(imported, in: library, report: report)
    }

    /// Edits and exports imported files; only reports them if this is a dry run.
    private func render(
        _ imported: [Imported], in library: PhotoLibrary,
        report: (AppliedFile) async throws -> Void
    ) async throws {
        if isDryRun {
            for file in imported { try await report(planned(file, in: library)) }
            return
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
    }

    /// Returns what a dry run reports about an imported file.
    private func planned(_ file: Imported, in library: PhotoLibrary) throws -> AppliedFile {
        let history = try library.history(ofAsset: file.asset)
        let loss = history.newEditLoss.map { [$0] } ?? []
        return AppliedFile(
            planned: file.path, warnings: file.warnings + loss,
            isLeftVideo: options.leavesVideos && options.isConverted
                && history.asset.mediaType == .video)
    }

    /// An imported file.
    struct Imported {
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
            case (.rejected, _), (.rejectedBefore, _):
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
