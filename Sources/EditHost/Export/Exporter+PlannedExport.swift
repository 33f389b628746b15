// SPDX-License-Identifier: Apache-2.0

import Library

extension Exporter {
    /// The planned export of an asset, with its rendered files.
    struct PlannedExport: Sendable {
        let subject: ExportRecord.Subject
        let key: ExportRecord.Key
        var reason: ExportReason
        /// The differences of the extensions, if the picture was rendered again.
        var change: String?
        /// The picture of the current version, for the record; nil if it has no edits or is not exported.
        var renderedVersion: ExportRecord.RenderedVersion?
        /// The asset and the file to write; nil if there is nothing to write.
        var content: (history: AssetHistory, file: File)?
        /// The state of the stored picture.
        var picture = ExportResult.StoredPicture.upToDate
        /// Whether it is a video to which options for photos were not applied.
        var isLeftVideo = false
    }

    /// Plans the export of an asset, and renders it if it has to be written.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func plan(
        _ asset: String, of libraryName: String, for folder: ExportFolder
    ) async throws -> PlannedExport {
        var history = try library.history(ofAsset: asset)
        var exporter = self
        if let name = options.savedVersion {
            let version = try ExtensionHost.version(named: name, of: history)
            // The stored name, which may differ in case.
            exporter.options.savedVersion = version.name
            history = history.showing(version)
        }
        if options.leavesVideos, options.isConverted, history.asset.mediaType == .video {
            var planned = try await leavingVideos.plan(asset, of: libraryName, for: folder)
            planned.isLeftVideo = true
            return planned
        }
        return try await exporter.plan(history, of: libraryName, for: folder)
    }

    /// Plans the export of an asset without rendering it.
    func unrendered(
        _ history: AssetHistory, of libraryName: String, for folder: ExportFolder
    ) throws -> PlannedExport {
        let subject = ExportRecord.Subject(
            library: libraryName, asset: history.asset.localIdentifier,
            variant: variant(of: history))
        let key = try key(of: history)
        var planned = PlannedExport(
            subject: subject, key: key,
            reason: try folder.reason(for: subject, key, options.overwriting))
        planned.renderedVersion = renderedVersion(of: history)
        if planned.reason == .content,
            let change = folder.rerendering(of: subject, planned.renderedVersion)
        {
            (planned.reason, planned.change) = (.rerendered, change)
        }
        return planned
    }

    /// Describes the exported picture. A picture that is rendered for the export is made by the installed extensions, not
    /// by those that made the stored picture.
    private func renderedVersion(of history: AssetHistory) -> ExportRecord.RenderedVersion? {
        guard options.version == .current,
            var renderedVersion = ExportRecord.RenderedVersion(history)
        else { return nil }
        if isRendered(history), substitute(for: history.chain, of: history) == nil {
            renderedVersion.builds = ExportRecord.RenderedVersion.builds(
                history.chain.filter(\.isEnabled).compactMap { try? planner.step($0).identity })
        }
        return renderedVersion
    }

    /// Renders the files of a planned export, if it has to be written. A dry run does not render.
    func rendered(_ planned: PlannedExport, _ history: AssetHistory) async throws -> PlannedExport {
        guard planned.reason.isWritten else { return planned }
        var planned = planned
        planned.content = (history, try await withSidecars(file(of: history), of: history))
        return planned
    }

    /// An exporter without the options that apply to photos only.
    private var leavingVideos: Exporter {
        var options = options
        options.format = nil
        options.quality = nil
        options.size = nil
        options.sharpening = nil
        options.profile = .original
        return with(options)
    }

    /// Writes the files of a planned export.
    ///
    /// - Throws: `HostError`, `LibraryError`. In that case, no new file is left.
    func finish(_ planned: PlannedExport, in folder: inout ExportFolder) throws -> ExportResult {
        let asset = planned.subject.asset
        guard let (history, file) = planned.content else {
            let paths = folder.paths(of: planned.subject)
            let modified =
                planned.reason == .foreign ? try folder.modifiedPaths(of: planned.subject) : []
            let warnings = modified.map { path in
                path == paths.first
                    ? "kept: modified since it was exported"
                    : "kept: \(path) was modified since it was exported"
            }
            return ExportResult(
                asset, paths, planned.reason, isLeftVideo: planned.isLeftVideo, warnings: warnings,
                of: planned)
        }
        let written = try folder.write(
            named(file, of: history), of: planned.subject, planned.key, planned.renderedVersion,
            prunes: options.prunes)
        let left = written.left.map {
            "exported under a new name; the earlier file \($0) was kept (--prune removes it)"
        }
        let kept = written.kept.map {
            "the earlier file \($0) was modified since it was exported, and was kept"
        }
        let beside = written.beside.map {
            "the earlier file \($0) was kept, because a file exported with it was modified since it "
                + "was exported"
        }
        let others = written.others.map { "\($0) was not written by an export, and was kept" }
        let unproven = written.unproven.map {
            "\($0) was kept: the folder's record does not prove that an export of this library "
                + "wrote it"
        }
        return ExportResult(
            asset, written.paths, written.wasThere ? .present : planned.reason,
            removed: written.removed,
            kept: written.left + written.kept + written.beside + written.others
                + written.unproven,
            isLeftVideo: planned.isLeftVideo,
            warnings: file.omissions + left + kept + beside + others + unproven, of: planned)
    }
}
