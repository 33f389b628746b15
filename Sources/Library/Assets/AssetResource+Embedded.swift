// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess

extension AssetResource {
    /// The location of the bytes of a resource that is not a separate file.
    package indirect enum Embedding: Hashable, Sendable {
        /// A byte range of another file of the asset.
        case inFile(AssetResource, Range<Int>)
    }

    /// The resource whose file contains the bytes; the resource itself unless it is embedded.
    package var file: AssetResource {
        if case .inFile(let file, _) = embedding { return file }
        return self
    }

    /// Creates the resource of the video embedded in a Motion Photo; nil if there is none or it has
    /// not been decoded.
    ///
    /// - Parameter original: The Motion Photo.
    init?(videoIn original: AssetResource) {
        guard let video = original.facts?.embeddedVideo, let content = video.content,
            let hash = SHA256Digest(hex: content.hash),
            let range = video.range(inFileOfLength: original.size ?? .max)
        else { return nil }
        var facts = PhotoFacts(
            format: content.format, pixelWidth: content.pixelWidth,
            pixelHeight: content.pixelHeight, orientation: 1, bitsPerSample: 8, hasAlpha: false,
            colorModel: .rgb, hasFullChroma: false, isLossy: true, frameCount: 1,
            mediaSubtypes: [], creationDate: nil, location: nil)
        facts.video = content.video
        if let time = video.presentationTime { facts.video?.stillTime = Double(time) / 1e6 }
        let stem = original.originalFilename.prefix { $0 != "." }
        self.init(
            type: .pairedVideo, assetLocalIdentifier: original.assetLocalIdentifier,
            originalFilename: "\(stem).\(content.format.filenameExtension)",
            format: content.format, blob: nil, url: nil, contentHash: hash,
            size: range.count, contentDate: nil, facts: facts, isPrimary: false,
            embedding: .inFile(original, range))
    }
}
