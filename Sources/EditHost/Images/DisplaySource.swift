// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// The source that a version of an asset is rendered from.
struct DisplaySource: Sendable {
    /// The identity of a picture. An edit, an undo or another file changes it.
    struct Key: Hashable, Sendable {
        /// The hash of the displayed file; `nil` for a state that must be rendered.
        let file: SHA256Digest?
        /// The identity of a state that must be rendered; otherwise empty.
        let state: String
    }

    let key: Key
    let plan: StatePlan
    /// The upright size of the version in pixels, as recorded in the library.
    let size: PixelSize
    /// Whether the file is the camera's own, with a thumbnail of the same picture.
    let isOriginal: Bool

    /// - Throws: `HostError` with `unsupportedMediaType` or `cannotRender`.
    init(
        _ history: AssetHistory, _ version: ImageRequestOptionsVersion,
        _ state: AssetImageState? = nil, in library: PhotoLibrary, _ planner: StatePlanner
    ) throws {
        guard [.image, .video].contains(history.asset.mediaType) else {
            throw HostError(
                .unsupportedMediaType,
                "assets of type \(history.asset.mediaType.name) cannot be rendered by this "
                    + "version", asset: history.asset.localIdentifier)
        }
        if state == nil, version == .original, let raw = history.rawOriginal {
            throw HostError(
                .cannotRender,
                "the original is the RAW file \(raw.originalFilename), which cannot be "
                    + "developed; request the unadjusted version, or the original's data",
                asset: history.asset.localIdentifier)
        }
        let chain = try state?.chain(of: history) ?? (version == .current ? history.chain : [])
        let original = try planner.plan([], of: history)
        guard let tip = chain.last else {
            self.init(
                key: Key(file: original.original, state: ""), plan: original,
                size: PixelSize(
                    width: original.originalFacts.pixelWidth,
                    height: original.originalFacts.pixelHeight),
                // A video has no embedded thumbnail.
                isOriginal: original.originalFacts.video == nil)
            return
        }
        if let stored = library.storedPicture(of: chain) {
            self.init(
                key: Key(file: stored.blob, state: ""),
                plan: original.over(stored.blob, stored.format, []),
                size: PixelSize(width: stored.pixelWidth, height: stored.pixelHeight),
                isOriginal: false)
            return
        }
        // The size of another state is not recorded. The runner corrects a wrong one.
        let isCurrent = tip.identifier == history.chain.last?.identifier
        let facts = original.originalFacts
        self.init(
            key: Key(file: nil, state: "\(history.asset.localIdentifier) \(tip.identifier)"),
            plan: try planner.plan(chain, of: history),
            size: isCurrent
                ? PixelSize(width: history.asset.pixelWidth, height: history.asset.pixelHeight)
                : PixelSize(width: facts.pixelWidth, height: facts.pixelHeight),
            isOriginal: false)
    }

    private init(key: Key, plan: StatePlan, size: PixelSize, isOriginal: Bool) {
        self.key = key
        self.plan = plan
        self.size = size
        self.isOriginal = isOriginal
    }
}
