// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Logging
import RunnerProtocol

/// Marks the best frame of a burst after some of its frames have been imported.
///
/// The best frame has the largest product of sharpness and exposure (``PictureQuality``). Frames picked by the
/// user keep their marks.
struct BurstPicker: Sendable {
    let renderer: Renderer
    let logger: Logger

    /// The maximum number of frames. A larger burst was not made by a camera.
    private static let maximumFrames = 1000

    private var library: PhotoLibrary { renderer.library }

    /// Marks the best frames of the bursts that contain these assets. A burst that cannot be measured is left
    /// unchanged.
    func pick(afterImportOf identifiers: [String]) async throws {
        var bursts: Set<String> = []
        for identifier in identifiers {
            let asset = try? library.asset(withLocalIdentifier: identifier)
            if let burst = asset?.burstIdentifier { bursts.insert(burst) }
        }
        for burst in bursts.sorted() {
            try Task.checkCancellation()
            do {
                try await pick(inBurst: burst)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                logger.warning("cannot mark the best picture of the burst \(burst): \(error)")
            }
        }
    }

    private func pick(inBurst burst: String) async throws {
        var options = FetchOptions()
        options.includeAllBurstAssets = true
        options.includeHiddenAssets = true
        let frames = try Asset.fetchAssets(
            withBurstIdentifier: burst, in: library, options: options)
        guard (2...Self.maximumFrames).contains(frames.count) else { return }
        var best: (identifier: String, score: Double)?
        for frame in frames {
            guard let quality = try await quality(of: frame) else { continue }
            let score = quality.sharpness * quality.exposure
            // The first of equal frames is kept.
            if score > best?.score ?? -1 { best = (frame.localIdentifier, score) }
        }
        guard let best else { return }
        try await mark(best.identifier, of: frames.map(\.localIdentifier))
    }

    private func quality(of frame: Asset) async throws -> PictureQuality? {
        do {
            let history = try library.history(ofAsset: frame.localIdentifier)
            let plan = try renderer.planner.plan([], of: history)
            let base = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan)
            return try await renderer.run([], over: base, of: plan, QualityOutput())
        } catch let error as HostError where error.code == .badInput || error.code == .cannotRender
        {
            return nil
        } catch let error as LibraryError where error.isAboutReference {
            return nil
        }
    }

    private func mark(_ best: String, of frames: [String]) async throws {
        let library = library
        try await library.performChanges {
            for identifier in frames {
                // Read inside the change, because another process may have changed the marks meanwhile.
                let asset = try library.asset(withLocalIdentifier: identifier)
                var types = asset.burstSelectionTypes
                if identifier == best { types.insert(.autoPick) } else { types.remove(.autoPick) }
                guard types != asset.burstSelectionTypes else { continue }
                try AssetChangeRequest(for: asset).burstSelectionTypes = types
            }
        }
    }
}
