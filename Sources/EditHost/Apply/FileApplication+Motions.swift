// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library

/// Finds the videos of Live Photos whose picture is in another batch.
extension FileApplication {
    /// Returns the videos with content identifiers.
    func candidates(_ groups: [ImportGroup]) async throws -> MotionCandidates {
        let videos = groups.flatMap { group -> [(group: ImportGroup, owner: String?)] in
            if ImportFilenameExtension.isVideo(group.primary) { return [(group, nil)] }
            return group.motions.map { ($0, group.primary) }
        }
        var candidates = MotionCandidates()
        try await forEachOrdered(
            videos, limit: host.configuration.runnerLimit,
            { video in
                await Result.capturing {
                    (video, try await contentIdentifier(ofFileAt: video.group.primary))
                }
            },
            deliver: { result in
                let (video, identifier) = try result.get()
                if let identifier { candidates.add(video.group, identifier, of: video.owner) }
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

    /// Removes the videos that have the content identifiers of imported pictures from the candidates. A
    /// video stays with a picture beside it that has the same identifier.
    ///
    /// - Returns: The removed videos.
    func takeMotions(
        of imported: [Imported], in library: PhotoLibrary,
        from motions: inout MotionCandidates
    ) async throws -> [ImportGroup] {
        if motions.isEmpty { return [] }
        var taken: [ImportGroup] = []
        for file in imported {
            let asset = try library.asset(withLocalIdentifier: file.asset)
            guard asset.mediaType == .image, let identifier = asset.contentIdentifier else {
                continue
            }
            for video in motions.videos(with: identifier) {
                if let owner = motions.owner(of: video.primary),
                    try await contentIdentifier(ofFileAt: owner) == identifier
                {
                    continue
                }
                motions.remove(video.primary)
                taken.append(video)
            }
        }
        return taken
    }
}
