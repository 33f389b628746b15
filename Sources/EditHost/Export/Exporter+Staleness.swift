// SPDX-License-Identifier: Apache-2.0

import Library

extension Exporter {
    /// Plans and renders the export of an asset.
    ///
    /// A stale picture is first rendered again in the library or, if the options keep it, exported as it is. The picture
    /// of a saved version is rendered for the export alone. A picture that cannot be rendered again is exported as it
    /// is.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func plan(
        _ history: AssetHistory, of libraryName: String, for folder: ExportFolder
    ) async throws -> PlannedExport {
        guard let staleness, options.version == .current else {
            return try await rendered(unrendered(history, of: libraryName, for: folder), history)
        }
        if options.overwriting == .never {
            let planned = try unrendered(history, of: libraryName, for: folder)
            if !planned.reason.isWritten { return planned }
        }
        var exporter = self
        var current = history
        var picture = ExportResult.StoredPicture.upToDate
        let state =
            options.savedVersion == nil
            ? await staleness.state(of: history) : await staleness.state(ofVersion: history)
        switch state {
        case .upToDate: break
        case .unrenderable(let error): picture = .unrenderable(error)
        case .stale where options.stalePictures == .keep:
            exporter.keepsStored = true
            picture = .stale
        case .stale where options.savedVersion != nil:
            try requireNoMotion(history)
            exporter.ignoresStored = true
        // The picture that a rendering would replace is not known, so its files count as changed.
        case .stale where options.isDryRun: exporter.ignoresStored = true
        case .stale(let verdict):
            do {
                exporter.library = try await staleness.render(verdict)
                current = try exporter.library.history(ofAsset: history.asset.localIdentifier)
            } catch let error as HostError
                where error.code == .fileFailed && history.asset.mediaType == .image
                && !history.hasMotion
            {
                // A backup, or a library on a read-only disk. The picture is rendered for the export alone.
                exporter.ignoresStored = true
            }
        }
        var planned = try await exporter.rendered(
            exporter.unrendered(current, of: libraryName, for: folder), current)
        planned.picture = picture
        return planned
    }

    /// Rejects a Live Photo whose pictures cannot be rendered for the export alone.
    private func requireNoMotion(_ history: AssetHistory) throws {
        guard history.hasMotion else { return }
        throw HostError(
            .cannotRender,
            "the pictures of version \"\(options.savedVersion ?? "")\" are stale; switch to it "
                + "with version use and run rerender, or export them as stored with --stale keep",
            asset: history.asset.localIdentifier)
    }
}
