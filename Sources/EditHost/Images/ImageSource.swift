// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// What a version of an asset is drawn from.
struct ImageSource: Sendable {
    /// What makes two pictures the same: an edit, an undo and another file make another.
    struct Key: Hashable, Sendable {
        /// The hash of the bytes of the file that is shown; of a state that has to be rendered, nil.
        let file: SHA256Digest?
        /// Of such a state, what it is.
        let state: String
    }

    let key: Key
    let plan: StatePlan
    /// The size of the version, upright, as the library says.
    let size: PixelSize
    /// Whether the file is the camera's own, whose thumbnail shows the same.
    let isOriginal: Bool

    /// - Throws: `HostError` with `unsupportedMediaType` or `cannotRender`.
    init(
        _ history: AssetHistory, _ version: ImageRequestOptionsVersion, in library: PhotoLibrary,
        _ planner: StatePlanner
    ) throws {
        guard [.image, .video].contains(history.asset.mediaType) else {
            throw HostError(
                .unsupportedMediaType,
                "assets of type \(history.asset.mediaType.name) cannot be rendered by this "
                    + "version", asset: history.asset.localIdentifier)
        }
        if version == .original, let raw = history.rawOriginal {
            throw HostError(
                .cannotRender,
                "the original is the RAW file \(raw.originalFilename), which cannot be "
                    + "developed; request the unadjusted version, or the original's data",
                asset: history.asset.localIdentifier)
        }
        let chain = version == .current ? history.chain : []
        let original = try planner.plan([], of: history)
        guard let tip = chain.last else {
            self.init(
                key: Key(file: original.original, state: ""), plan: original,
                size: PixelSize(
                    width: original.originalFacts.pixelWidth,
                    height: original.originalFacts.pixelHeight),
                // A video has no thumbnail of its own.
                isOriginal: original.originalFacts.video == nil)
            return
        }
        if let stored = tip.current, library.containsBlob(stored.blob) {
            self.init(
                key: Key(file: stored.blob, state: ""),
                plan: original.over(stored.blob, stored.format, []),
                size: PixelSize(width: stored.pixelWidth, height: stored.pixelHeight),
                isOriginal: false)
            return
        }
        let state = "\(history.asset.localIdentifier) \(tip.identifier)"
        self.init(
            key: Key(file: nil, state: state), plan: try planner.plan(chain, of: history),
            size: PixelSize(
                width: history.asset.pixelWidth, height: history.asset.pixelHeight),
            isOriginal: false)
    }

    private init(key: Key, plan: StatePlan, size: PixelSize, isOriginal: Bool) {
        self.key = key
        self.plan = plan
        self.size = size
        self.isOriginal = isOriginal
    }
}

extension AssetHistory {
    /// The RAW file of a photograph that came with a JPEG.
    var rawOriginal: AssetResource? {
        originals.first { $0.type == .alternatePhoto }
    }
}
