// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library

extension ExtensionHost {
    /// Writes a version of an asset into a folder, under the name that it was imported with.
    /// Nothing is overwritten: where the name is taken, it gets `-1`, `-2` and so on.
    ///
    /// - Returns: the path of the new file.
    /// - Throws: `HostError`, `LibraryError`; no file is left then.
    public func export(
        _ identifier: String, from library: PhotoLibrary, to folder: String,
        _ options: ExportOptions
    ) async throws -> String {
        let history = try library.history(ofAsset: identifier)
        let exporter = Exporter(
            planner: StatePlanner(extensions: extensions),
            renderer: Renderer(pool: pool, library: library), options: options)
        do {
            let (bytes, format) = try await exporter.bytes(of: history)
            let stem = (history.asset.originalFilename as NSString).deletingPathExtension
            return try NewFile.write(
                bytes, in: folder, stem: stem,
                ending: exporter.ending(for: format, of: history))
        } catch let error as HostError {
            throw error.concerning(asset: identifier)
        }
    }
}
