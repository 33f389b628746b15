// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Exports assets into a folder under their imported filenames, and reports each of them in order.
    ///
    /// The folder gets a record of the exported files, a file whose name begins with `.edithost-export`. A
    /// later export writes files that are missing or outdated, as `options` says. Files that no export wrote,
    /// or that were modified since, are never touched. If such a file has the name of a new one, the new one is
    /// numbered `-1`, `-2` and so on. Companions get the same number.
    ///
    /// Assets are rendered concurrently.
    /// - Parameters:
    ///   - progressHandler: called with the progress of videos encoded for the export.
    ///   - report: called for each asset as soon as it is done. A failed asset leaves no new file.
    /// - Returns: the files that were pruned, if `options` asks for that.
    /// - Throws: `HostError` with `fileFailed` if the folder is not writable, `busy` if another export uses it,
    ///   `badRequest` if it is inside a library, or `badInput` if its record is damaged; errors of `report`;
    ///   `CancellationError`.
    @discardableResult
    public func export(
        _ identifiers: [String], from library: PhotoLibrary, to folder: String,
        _ options: ExportOptions, progressHandler: EditProgressHandler? = nil,
        report: (ExportResult) async throws -> Void
    ) async throws -> ExportRemovals {
        guard !identifiers.isEmpty || options.prunes else { return ExportRemovals() }
        try options.validate()
        try library.requireOutside(folder)
        // Opened first, because a bad folder would fail every asset with the same message.
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
            // Files are written in sequence, so names do not depend on which asset is rendered first.
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

    /// Exports one asset.
    ///
    /// - Returns: the path of the new file.
    /// - Throws: `HostError`, `LibraryError`. No file is left then.
    public func export(
        _ identifier: String, from library: PhotoLibrary, to folder: String,
        _ options: ExportOptions
    ) async throws -> String {
        var path: Result<String, any Error> = .failure(CancellationError())
        try await export([identifier], from: library, to: folder, options) { path = $0.path }
        return try path.get()
    }
}

/// The result of pruning the files of earlier exports.
public struct ExportRemovals: Sendable {
    /// The paths of the removed files.
    public var removed: [String] = []
    /// The paths of files that were not removed, because they were modified since they were exported.
    public var kept: [String] = []
}

/// The result of exporting one asset.
public struct ExportResult: Sendable {
    /// The local identifier of the asset.
    public let assetIdentifier: String
    /// The path of the asset's own file, or the error that prevented the export.
    public let path: Result<String, any Error>
    /// The reason why the files were written or skipped; nil if the export failed.
    public let reason: ExportReason?
    /// The paths of the files beside the asset's own: the video of a Live Photo, and companions.
    public let companions: [String]
    /// The paths of removed files of an earlier export, which these files replace. If the name of the asset
    /// changed, they are removed with ``ExportOptions/prunes`` only.
    public let removed: [String]
    /// The paths of files of an earlier export that were kept, because they have other names or were modified.
    public let kept: [String]
    /// Whether it is a video that format, quality, size, sharpening and profile were not applied to.
    public let isLeftVideo: Bool
    /// Warnings for the user, such as metadata of the original that is missing in the new file, or a modified
    /// file of an earlier export.
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
