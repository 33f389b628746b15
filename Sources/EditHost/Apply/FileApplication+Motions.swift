// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library

/// Finds the videos of Live Photos whose picture is in another batch.
extension FileApplication {
    /// Returns the videos with content identifiers.
    func candidates(_ groups: [ImportGroup]) async throws -> MotionCandidates {
        let videos = groups.flatMap { group in
            ImportFilenameExtension.isVideo(group.primary) ? [group] : group.motions
        }
        var candidates = MotionCandidates()
        try await forEachOrdered(
            videos, limit: host.configuration.runnerLimit,
            { video in
                await Result.capturing {
                    (video, try await contentIdentifier(ofFileAt: video.primary))
                }
            },
            deliver: { result in
                let (video, identifier) = try result.get()
                if let identifier { candidates.add(video, identifier) }
            })
        return candidates
    }

    /// Returns the content identifier of a picture or video; nil if it has none or cannot be read, which its import
    /// reports.
    private func contentIdentifier(ofFileAt path: String) async throws -> String? {
        do {
            let (file, _) = try Importer.open(path)
            let format = try Importer.format(of: file, at: path)
            guard try Importer.refusal(of: format, file) == nil else { return nil }
            return try await host.pool.read(file, format)?.facts.metadata?.contentIdentifier
        } catch let error where error.concernsImportedFile || error.concernsOriginal {
            return nil
        }
    }

    /// Removes the videos that have the content identifiers of imported pictures from the candidates and from later
    /// groups. A video stays with a picture beside it that has the same identifier.
    ///
    /// - Returns: The removed videos.
    func takeMotions(
        of imported: [Imported], in library: PhotoLibrary,
        from motions: inout MotionCandidates, _ rest: inout [ImportGroup]
    ) async throws -> [ImportGroup] {
        if motions.isEmpty { return [] }
        var taken: [ImportGroup] = []
        for file in imported {
            let asset = try library.asset(withLocalIdentifier: file.asset)
            guard asset.mediaType == .image, let identifier = asset.contentIdentifier else {
                continue
            }
            for video in motions.videos(with: identifier) {
                let name = FileName(video.primary)
                let owner = rest.first { $0.companions.contains { FileName($0) == name } }
                if let owner,
                    try await contentIdentifier(ofFileAt: owner.primary) == identifier
                {
                    continue
                }
                motions.remove(video.primary)
                taken.append(video)
            }
        }
        if taken.isEmpty { return [] }
        let paths = Set(taken.map { FileName($0.primary) })
        rest.removeAll { paths.contains(FileName($0.primary)) }
        rest = rest.map { $0.without(paths) }
        return taken
    }
}
