// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Exports assets into a folder under their imported filenames, and reports each of them in order.
    ///
    /// The folder gets a record of the exported files, a file whose name begins with `.edithost-export`. A later export
    /// writes files that are missing or outdated, according to `options`. Files that no export wrote, or that were
    /// modified since, are never touched. If such a file has the name of a new one, the new one is numbered `-1`, `-2`
    /// and so on. Companions get the same number.
    ///
    /// Assets are rendered concurrently. A stored picture that is stale is first rendered again in the library, unless
    /// `options` keeps it.
    ///
    /// - Parameters:
    ///   - progressHandler: Called with the progress of videos encoded for the export.
    ///   - report: Called for each asset as soon as it is done. A failed asset leaves no new file.
    /// - Returns: The files that were pruned, if `options` requests that.
    /// - Throws: `HostError` with `fileFailed` if the folder is not writable, `busy` if another export uses it,
    ///   `badRequest` if it is inside a library, or `badInput` if its record is damaged; errors of `report`;
    ///   `CancellationError`.
    @discardableResult
    public func export(
        _ identifiers: [String], from library: PhotoLibrary, to folder: String,
        _ options: ExportOptions, progressHandler: EditProgressHandler? = nil,
        report: (ExportResult) async throws -> Void
    ) async throws -> ExportRemovals {
        try await export(
            identifiers, from: library, changing: { library }, to: folder, options,
            progressHandler: progressHandler, report: report)
    }

    /// Exports assets, and opens the library for writing only if a stale picture has to be rendered again.
    ///
    /// - Parameter changing: Returns the library for writing. It is called once.
    @discardableResult
    package func export(
        _ identifiers: [String], from library: PhotoLibrary,
        changing: @escaping @Sendable () throws -> PhotoLibrary, to folder: String,
        _ options: ExportOptions, progressHandler: EditProgressHandler? = nil,
        report: (ExportResult) async throws -> Void
    ) async throws -> ExportRemovals {
        guard !identifiers.isEmpty || options.prunes else { return ExportRemovals() }
        try options.validate()
        try library.requireOutside(folder)
        // Its versions are compared with those of stored pictures.
        if options.version == .current, try library.hasEditedAssets { await pool.warmUp() }
        // Opened first, because a bad folder would fail every asset with the same message.
        var target = try await ExportFolder(
            folder, options, seal: RecordSeal(library))
        let (found, name) = (target, try library.identifier)
        var renderer = renderer(of: library, for: .copying)
        renderer.videoCallbacks.progress = progressHandler
        let staleness = try ExportStaleness(
            self, library, changing: changing, progressHandler: progressHandler)
        defer { staleness.end() }
        let exporter = Exporter(
            renderer: renderer, library: library, options: options, staleness: staleness)
        var subjects: Set<ExportRecord.Subject> = []
        var failed: Set<String> = []
        try await forEachOrdered(identifiers, limit: configuration.runnerLimit) {
            identifier -> (String, Result<Exporter.PlannedExport, any Error>) in
            do {
                let planned = try await self.withMemory(for: identifier, in: library) {
                    try await exporter.plan(identifier, of: name, for: found)
                }
                return (identifier, .success(planned))
            } catch {
                return (identifier, .failure(error))
            }
        } deliver: { identifier, planned in
            // Files are written in sequence, so names do not depend on which asset is rendered first.
            let result = Result<ExportResult, any Error> {
                let planned = try planned.get()
                subjects.insert(planned.subject)
                return try exporter.finish(planned, in: &target)
            }
            switch result {
            case .success(let result): try await report(result)
            case .failure(let error):
                failed.insert(identifier)
                let named = (error as? HostError)?.naming(asset: identifier) ?? error
                try await report(ExportResult(identifier, failure: named))
            }
        }
        var removals = ExportRemovals()
        if options.prunes {
            removals = try target.prune(name) {
                subjects.contains($0)
            } leaving: {
                failed.contains($0.asset)
            }
        }
        try target.end()
        return removals
    }

    /// Exports one asset.
    ///
    /// - Returns: The path of the new file.
    /// - Throws: `HostError`, `LibraryError`. In that case, no file is left.
    public func export(
        _ identifier: String, from library: PhotoLibrary, to folder: String,
        _ options: ExportOptions
    ) async throws -> String {
        var path: Result<String, any Error> = .failure(CancellationError())
        try await export([identifier], from: library, to: folder, options) { path = $0.path }
        return try path.get()
    }
}
