// SPDX-License-Identifier: Apache-2.0

import Library

extension Exporter {
    /// Plans and renders the export of an asset.
    ///
    /// A stale picture is first rendered again in the library or, if the options keep it, exported as it is. A picture
    /// that cannot be rendered again is exported as it is.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func work(
        on history: AssetHistory, of libraryName: String, for folder: ExportFolder
    ) async throws -> Work {
        guard let staleness, options.version == .current else {
            return try await rendered(planned(history, of: libraryName, for: folder), history)
        }
        if options.overwriting == .never {
            let work = try planned(history, of: libraryName, for: folder)
            if !work.reason.isWritten { return work }
        }
        var exporter = self
        var current = history
        var picture = ExportResult.StoredPicture.upToDate
        switch await staleness.state(of: history) {
        case .upToDate: break
        case .unrenderable(let error): picture = .unrenderable(error)
        case .stale where options.stalePictures == .keep:
            exporter.keepsStored = true
            picture = .stale
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
        var work = try await exporter.rendered(
            exporter.planned(current, of: libraryName, for: folder), current)
        work.picture = picture
        return work
    }
}
