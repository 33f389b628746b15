// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The bytes of a file say what it is. The caller's word counts where they do not.
extension NewResource {
    /// The medium of an asset of which this is the original.
    ///
    /// - Throws: `LibraryError` with `invalidRequest` where the caller has said another one.
    func mediaType(said: MediaType?, asset: String) throws -> MediaType {
        guard isRecognised else { return said ?? format.mediaType }
        if let said, said != .unknown, said != format.mediaType {
            throw contradiction("an asset of type \(said.name)", asset)
        }
        return format.mediaType
    }

    /// Refuses a file that is not what the type of the resource, or its facts, say.
    ///
    /// - Throws: `LibraryError` with `invalidRequest`.
    func requireTruth(asset: String) throws {
        guard isRecognised else { return }
        if let said = type.mediaType, said != format.mediaType {
            throw contradiction("a resource of type \(type.name)", asset)
        }
        if let facts, facts.format != format {
            throw contradiction("one with the facts of a \(facts.format.displayName) file", asset)
        }
    }

    private var isRecognised: Bool { found?.tellsMediaType ?? false }

    private func contradiction(_ said: String, _ asset: String) -> LibraryError {
        LibraryError(
            .invalidRequest,
            "\(filename) is a \(format.displayName) file by its bytes, but was added as \(said)",
            assetIdentifier: asset)
    }
}

extension AssetResourceType {
    /// The medium that files of this type are; nil for those that are none.
    fileprivate var mediaType: MediaType? {
        switch self {
        case .photo, .alternatePhoto, .fullSizePhoto, .adjustmentBasePhoto: .image
        case .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo,
            .adjustmentBasePairedVideo, .adjustmentBaseVideo:
            .video
        case .audio: .audio
        default: nil
        }
    }
}
