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
        // The same path each time, so that the failures of an extension are counted together.
        let path = "\(place.path)/Apply.editlibrary"
        var rest = groups[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            let batch = Array(rest.prefix(batchCount))
            // A library stores equal files once, so the next one renders the others.
            let equal = try await run(batch, inLibraryAt: path, report: report)
            rest = (equal + rest.dropFirst(batch.count))[...]
        }
    }

    /// Renders the files of some groups in a new library, which is removed afterwards.
    ///
    /// - Returns: The groups whose picture is equal to an earlier one.
    private func run(
        _ groups: [ImportGroup], inLibraryAt path: String,
        report: (AppliedFile) async throws -> Void
    ) async throws -> [ImportGroup] {
        let library = try PhotoLibrary.create(at: path)
        defer {
            try? library.close()
            try? FileManager.default.removeItem(atPath: path)
        }
        let (imported, equal) = try await importFiles(of: groups, into: library, report: report)
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
        return equal
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
                equal.append(
                    groups.first { FileName($0.primary) == FileName(result.path) }
                        ?? ImportGroup(primary: result.path))
            default: break
            }
        }
        return (imported, equal)
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
