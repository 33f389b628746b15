// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import RunnerHost

extension ExtensionHost {
    /// Converts Motion Photos to Apple's pairs of files, or pairs to Motion Photos, without a library.
    ///
    /// Pixels and sound are copied. The still is encoded only if a Motion Photo is to be written and it is not a JPEG.
    ///
    /// - Parameters:
    ///   - paths: The files: the halves of pairs, in any order, and Motion Photos. Folders are searched.
    ///   - part: `pair` or `motion`.
    ///   - folder: The output folder, created if it is missing. Files keep their names; none is overwritten.
    ///   - report: Called for every Live Photo as soon as it is converted. Also called for unusable files, and for
    ///     files of `paths` that are not part of a Live Photo.
    /// - Throws: `HostError` with `fileFailed` if the folder is not writable; any error of `report`;
    ///   `CancellationError`.
    public func convertLivePhotos(
        at paths: [String], to part: ExportOptions.LivePhotoPart, in folder: String,
        report: (LivePhotoConversionResult) async throws -> Void
    ) async throws {
        try PhotoLibrary.requireOutsideLibraries(folder)
        // A temporary library that refers to the files. It is removed with its folder.
        let place = try PrivateFolder(for: .edit)
        let library = try PhotoLibrary.create(at: "\(place.path)/Conversion.editlibrary")
        defer { try? library.close() }
        var stills: [(path: String, asset: String)] = []
        var known: Set<String> = []
        var others: [LivePhotoConversionResult] = []
        let named = Set(paths.map { FileName($0) })
        try await importPhotos(at: paths, into: library, by: .reference) { result in
            let isWanted = result.status == .rejected || named.contains(FileName(result.path))
            guard let asset = result.assetIdentifier, result.error == nil else {
                if isWanted { others.append(.init(result)) }
                return
            }
            if result.resourceType == .photo, known.insert(asset).inserted {
                stills.append((result.path, asset))
            }
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
