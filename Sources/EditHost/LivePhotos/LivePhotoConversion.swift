// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library

extension ExtensionHost {
    /// Makes Apple's pairs of Motion Photos, or the other way round, without a library.
    ///
    /// Pixels and sound are copied; only the still of a Motion Photo that is none of JPEG is encoded.
    ///
    /// - Parameters:
    ///   - paths: the files: the halves of pairs, in any order, and Motion Photos; folders are searched.
    ///   - part: `pair` or `motion`.
    ///   - folder: where they go, under their names; it is made where there is none. Nothing is overwritten.
    ///   - report: told of every Live Photo as soon as it is done, of every file that cannot be used, and of those
    ///     of `paths` that are of no Live Photo.
    /// - Throws: `HostError` with `fileFailed` where nothing can be written into the folder; what `report` throws;
    ///   `CancellationError`.
    public func convertLivePhotos(
        at paths: [String], to part: ExportOptions.LivePhotoPart, in folder: String,
        report: (LivePhotoConversionResult) async throws -> Void
    ) async throws {
        try PhotoLibrary.requireOutsideLibraries(folder)
        // It refers to the files, and goes with the folder.
        let place = try PrivateFolder(for: .edit)
        let library = try PhotoLibrary.create(at: "\(place.path)/Conversion.editlibrary")
        defer { try? library.close() }
        var stills: [(path: String, asset: String)] = []
        var others: [LivePhotoConversionResult] = []
        let named = Set(paths.map { FileName($0) })
        try await importPhotos(at: paths, into: library, by: .reference) { result in
            let isWanted = result.status == .rejected || named.contains(FileName(result.path))
            guard let asset = result.assetIdentifier, result.error == nil else {
                if isWanted { others.append(.init(result)) }
                return
            }
            let isNew = !stills.contains { $0.asset == asset }
            if result.resourceType == .photo, isNew { stills.append((result.path, asset)) }
            if result.resourceType == .video, isWanted { others.append(.init(result)) }
        }
        var live: [String] = []
        var names: [String: String] = [:]
        for still in stills {
            names[still.asset] = still.path
            if try library.history(ofAsset: still.asset).hasMotion {
                live.append(still.asset)
            } else if named.contains(FileName(still.path)) {
                others.append(.init(still.path))
            }
        }
        for other in others { try await report(other) }
        var options = ExportOptions()
        options.keepsRecord = false
        options.livePhotoPart = part
        options.metadata = .original
        try await export(live, from: library, to: folder, options) { result in
            try await report(
                LivePhotoConversionResult(
                    path: names[result.assetIdentifier] ?? "",
                    files: result.path.map { [$0] + result.companions },
                    warnings: result.warnings))
        }
    }
}

/// What became of one Live Photo that was to be converted, or of a file that is of none.
public struct LivePhotoConversionResult: Sendable {
    /// The path of its still, or of the file.
    public let path: String
    /// The paths of the new files, or why there are none.
    public let files: Result<[String], any Error>
    /// Things worth telling the user.
    public let warnings: [String]
}

extension LivePhotoConversionResult {
    /// A file that was not imported, or a video by itself.
    fileprivate init(_ result: ImportResult) {
        let name = (result.path as NSString).lastPathComponent
        self.init(
            path: result.path,
            files: .failure(
                result.error
                    ?? HostError(
                        .unsupportedMediaType,
                        "\(name) is not part of a Live Photo: its picture is missing")),
            warnings: [])
    }

    /// A picture by itself.
    fileprivate init(_ still: String) {
        let name = (still as NSString).lastPathComponent
        self.init(
            path: still,
            files: .failure(
                HostError(
                    .unsupportedMediaType,
                    "\(name) is not part of a Live Photo: its video is missing")),
            warnings: [])
    }
}
