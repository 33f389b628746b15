// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

/// A video that a library has, for a check: a file of its own, stored or referenced.
package struct StoredVideo: Hashable, Sendable {
    private enum Place: Hashable {
        case blob
        case outside(AssetResource)
    }

    /// One of the assets that it belongs to.
    package let asset: String
    /// The hash of its bytes.
    package let hash: SHA256Digest
    /// Whether it is an original, and not a rendition.
    package let isOriginal: Bool
    private let place: Place

    /// The videos of a library that belong to a sample, each once: the same files that a check reads.
    ///
    /// - Parameter percent: how many of all files, 0...100.
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

    /// The original videos of the asset that a rendition belongs to, which it may have been cut from without encoding.
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

    /// Opens it, without comparing its bytes.
    ///
    /// - Throws: `LibraryError`.
    package func open(in library: PhotoLibrary) throws -> OpenFile {
        switch place {
        case .blob: try library.openBlob(hash, ofAsset: asset, for: .preview)
        case .outside(let resource): try library.openOriginal(resource, for: .preview)
        }
    }

    /// Where it lies.
    package func path(in library: PhotoLibrary) -> String? {
        switch place {
        case .blob: library.layout.blob(hash)
        case .outside(let resource): ReferencedOriginal(resource).path ?? resource.url
        }
    }
}

extension CheckReport {
    /// Notes that a video has been decoded.
    ///
    /// - Parameters:
    ///   - fault: what is wrong with it; nil: nothing.
    ///   - isInherited: whether the original of a rendition is faulty, too.
    package mutating func note(
        _ video: StoredVideo, fault: String?, isInherited: Bool, in library: PhotoLibrary
    ) {
        decodedCount += 1
        guard let fault else { return }
        let isWhole = video.isOriginal || isInherited
        let advice =
            isInherited
            ? "; so is its original"
            : video.isOriginal
                ? "; the file is as it was imported"
                : "; render it again with edithost rerender --force"
        findings.append(
            Finding(
                kind: .videoNotDecoded, severity: isWhole ? .notice : .damage, isRepairable: false,
                detail: fault + advice, assetIdentifier: video.asset,
                path: video.path(in: library)))
    }

    /// Notes that there is nothing to decode videos with.
    package mutating func noteUndecoded(_ count: Int, because reason: String) {
        findings.append(
            Finding(
                kind: .videoNotDecoded, severity: .notice, isRepairable: false,
                detail:
                    "\(count == 1 ? "a video was" : "\(count) videos were") not decoded, because \(reason)",
                assetIdentifier: nil, path: nil))
    }
}
