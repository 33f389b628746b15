// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Writes a version of assets into a folder, under the names that they were imported with, and
    /// tells of each in their order.
    ///
    /// The folder gets a record of what was written, a file whose name begins with `.edithost-export`. Of a later export
    /// those files are written that would be others now or that are missing; which, `options` says. What
    /// no export wrote, or what was changed since, is never touched: where such a name is taken, the new one
    /// gets `-1`, `-2` and so on; companions get the same number.
    ///
    /// Several are rendered side by side.
    /// - Parameters:
    ///   - progressHandler: told how far the videos are that are encoded for the export.
    ///   - report: told of every asset as soon as it is done; of one that failed, no new file is
    ///     left.
    /// - Returns: what was removed, where that was asked for.
    /// - Throws: `HostError` with `fileFailed` where nothing can be written into the folder, `busy` where another
    ///   export does, `badRequest` where it lies in the library, `badInput` where its record is damaged; what
    ///   `report` throws; `CancellationError`.
    @discardableResult
    public func export(
        _ identifiers: [String], from library: PhotoLibrary, to folder: String,
        _ options: ExportOptions, progressHandler: EditProgressHandler? = nil,
        report: (ExportResult) async throws -> Void
    ) async throws -> ExportRemovals {
        guard !identifiers.isEmpty || options.prunes else { return ExportRemovals() }
        try options.validate()
        try library.requireOutside(folder)
        // Else every asset would fail with the same words.
        var target = try await ExportFolder(
            folder, isRecording: options.keepsRecord, seal: RecordSeal(library))
        let (found, name) = (target, try library.identifier)
        var renderer = renderer(of: library, for: .copying)
        renderer.videoWork.progress = progressHandler
        let exporter = Exporter(renderer: renderer, options: options)
        var subjects: Set<ExportRecord.Subject> = []
        var failed: Set<String> = []
        try await forEachOrdered(identifiers, limit: configuration.runnerLimit) {
            identifier -> (String, Result<Exporter.Work, any Error>) in
            do {
                let work = try await exporter.work(on: identifier, of: name, for: found)
                return (identifier, .success(work))
            } catch {
                return (identifier, .failure(error))
            }
        } deliver: { identifier, work in
            // Written one after the other, so that names do not depend on who was first.
            let result = Result<ExportResult, any Error> {
                let work = try work.get()
                subjects.insert(work.subject)
                return try exporter.finish(work, in: &target)
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
            let (removed, kept) = try target.prune(name) {
                subjects.contains($0)
            } leaving: {
                failed.contains($0.asset)
            }
            removals = ExportRemovals(removed: removed, kept: kept)
        }
        try target.end()
        return removals
    }

    /// Writes a version of one asset.
    ///
    /// - Returns: the path of the new file.
    /// - Throws: `HostError`, `LibraryError`; no file is left then.
    public func export(
        _ identifier: String, from library: PhotoLibrary, to folder: String,
        _ options: ExportOptions
    ) async throws -> String {
        var path: Result<String, any Error> = .failure(CancellationError())
        try await export([identifier], from: library, to: folder, options) { path = $0.path }
        return try path.get()
    }
}

/// What an export removed of what earlier ones wrote.
public struct ExportRemovals: Sendable {
    /// The paths of the files that are gone.
    public var removed: [String] = []
    /// The paths of those that were to go, and are not what was written any more.
    public var kept: [String] = []
}

/// What became of the export of one asset.
public struct ExportResult: Sendable {
    /// The asset.
    public let assetIdentifier: String
    /// The path of the file, or why there is none.
    public let path: Result<String, any Error>
    /// Why it was written, or was not; nil where that failed.
    public let reason: ExportReason?
    /// The paths of the files beside it.
    public let companions: [String]
    /// The paths of files of an earlier export that were removed, because these are in their place: under other names
    /// where that was asked for with ``ExportOptions/prunes``.
    public let removed: [String]
    /// The paths of files of an earlier export that stay beside these: they have other names, or somebody has changed
    /// them.
    public let kept: [String]
    /// Whether it is a video that format, quality, size, sharpening and profile did not apply to.
    public let isLeftVideo: Bool
    /// Things worth telling the user: what of the original's metadata is not in the new file, and which file of an
    /// earlier export somebody has changed.
    public let warnings: [String]

    init(_ identifier: String, failure: any Error) {
        assetIdentifier = identifier
        path = .failure(failure)
        reason = nil
        companions = []
        removed = []
        kept = []
        isLeftVideo = false
        warnings = []
    }

    init(
        _ identifier: String, _ paths: [String], _ reason: ExportReason, removed: [String] = [],
        kept: [String] = [], isLeftVideo: Bool, warnings: [String]
    ) {
        assetIdentifier = identifier
        path = .success(paths.first ?? "")
        self.reason = reason
        companions = Array(paths.dropFirst())
        self.removed = removed
        self.kept = kept
        self.isLeftVideo = isLeftVideo
        self.warnings = warnings
    }
}
