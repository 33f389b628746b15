// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

extension ExtensionHost {
    /// Writes a version of assets into a folder, under the names that they were imported with, and
    /// tells of each in their order. Nothing is overwritten: where a name is taken, it gets `-1`,
    /// `-2` and so on; companions get the same number.
    ///
    /// Several are rendered side by side.
    /// - Parameter report: told of every asset as soon as it is done; of one that failed, no file is
    ///   left.
    /// - Throws: `HostError` with `fileFailed` where nothing can be written into the folder; what
    ///   `report` throws; `CancellationError`.
    public func export(
        _ identifiers: [String], from library: PhotoLibrary, to folder: String,
        _ options: ExportOptions, report: (ExportResult) async throws -> Void
    ) async throws {
        // Else every asset would fail with the same words.
        if !identifiers.isEmpty { try NewFile.requireWritableFolder(folder) }
        let exporter = Exporter(
            renderer: renderer(of: library, for: .copying), options: options)
        typealias Rendered = (history: AssetHistory, file: Exporter.File)
        try await forEachOrdered(identifiers, limit: configuration.runnerLimit) {
            identifier -> (String, Result<Rendered, any Error>) in
            do {
                let history = try library.history(ofAsset: identifier)
                let rendered = try await exporter.file(of: history)
                return (identifier, .success((history, rendered)))
            } catch {
                return (identifier, .failure(error))
            }
        } deliver: { identifier, rendered in
            // Written one after the other, so that names do not depend on who was first.
            let paths = Result<[String], any Error> {
                let (history, file) = try rendered.get()
                return try exporter.write(file, of: history, to: folder)
            }
            try await report(
                ExportResult(
                    assetIdentifier: identifier,
                    path: paths.map { $0.first ?? folder }.mapError {
                        ($0 as? HostError)?.naming(asset: identifier) ?? $0
                    },
                    companions: ((try? paths.get()) ?? []).dropFirst().map { $0 },
                    warnings: (try? rendered.get().file.omissions) ?? []))
        }
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

/// What became of the export of one asset.
public struct ExportResult: Sendable {
    /// The asset.
    public let assetIdentifier: String
    /// The path of the new file, or why there is none.
    public let path: Result<String, any Error>
    /// The paths of the files that went out beside it.
    public let companions: [String]
    /// Things worth telling the user: what of the original's metadata is not in the new file.
    public let warnings: [String]
}
