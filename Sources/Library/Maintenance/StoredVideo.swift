// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

/// A video of a library that can be checked: a whole file, stored or referenced.
package struct StoredVideo: Hashable, Sendable {
    private enum Place: Hashable {
        case blob
        case outside(AssetResource)
    }

    /// The identifier of one of the assets that use the video.
    package let asset: String
    /// The hash of the video's content.
    package let hash: SHA256Digest
    /// True if the video is an original rather than a rendition.
    package let isOriginal: Bool
    private let place: Place

    /// Returns the videos in a sample of the library's files, each once. The sample is the one that
    /// a check with the same percentage reads.
    ///
    /// - Parameter percent: The percentage of files, 0...100.
    /// - Throws: `LibraryError`.
    package static func all(
        in library: PhotoLibrary, ofPercent percent: Double
    ) throws -> [StoredVideo] {
        let formats = MediaFormat.allCases.filter { $0.mediaType == .video }
            .map { "'\($0.rawValue)'" }.joined(separator: ", ")
        var videos: [StoredVideo] = try library.read { database in
            try database.records(
                """
                SELECT hash, min(uuid), max(is_original) FROM (
                    SELECT blob_hash AS hash, uuid, 1 AS is_original FROM resource
                    JOIN asset ON asset.id = asset_id
                    WHERE blob_hash IS NOT NULL AND resource.format IN (\(formats))
                    UNION ALL
                    SELECT blob_hash, asset.uuid, 0 FROM rendition
                    JOIN edit ON edit.id = edit_id JOIN asset ON asset.id = asset_id
                    WHERE rendition.format IN (\(formats)))
                GROUP BY hash ORDER BY hash
                """
            ) { row in
                StoredVideo(
                    asset: try row.value(1), hash: try row.value(0), isOriginal: try row.value(2),
                    place: .blob)
            }
        }
        try library.forEachReferencedResource { resource in
            guard resource.format.mediaType == .video, resource.blob == nil,
                let hash = resource.contentHash
            else { return }
            videos.append(
                StoredVideo(
                    asset: resource.assetLocalIdentifier, hash: hash, isOriginal: true,
                    place: .outside(resource)))
        }
        return videos.filter { $0.hash.isInSample(ofPercent: percent) }
    }

    /// Returns the original videos of the rendition's asset. The rendition may have been trimmed
    /// from them without re-encoding.
    ///
    /// - Throws: `LibraryError`.
    package func originals(in library: PhotoLibrary) throws -> [StoredVideo] {
        let history = try library.history(ofAsset: asset)
        return history.originals.compactMap { resource in
            guard resource.format.mediaType == .video,
                let hash = resource.blob ?? resource.contentHash
            else { return nil }
            return StoredVideo(
                asset: asset, hash: hash, isOriginal: true,
                place: resource.blob == nil ? .outside(resource) : .blob)
        }
    }

    /// Opens the video without verifying its content.
    ///
    /// - Throws: `LibraryError`.
    package func open(in library: PhotoLibrary) throws -> OpenFile {
        switch place {
        case .blob: try library.openBlob(hash, ofAsset: asset, for: .preview)
        case .outside(let resource): try library.openOriginal(resource, for: .preview)
        }
    }

    /// Returns the path of the video, or nil if it has none.
    package func path(in library: PhotoLibrary) -> String? {
        switch place {
        case .blob: library.layout.blob(hash)
        case .outside(let resource): ReferencedOriginal(resource).path ?? resource.url
        }
    }
}
