// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Logging
import RunnerProtocol

/// Marks the best frame of a burst after some of its frames have been imported or grouped.
///
/// The best frame has the largest product of sharpness and exposure (docs/reference/bursts.md). Frames picked by
/// the user keep their marks.
struct BurstPicker: Sendable {
    let renderer: Renderer
    let library: PhotoLibrary
    let logger: Logger

    /// The maximum number of frames. A larger burst was not made by a camera.
    private static let maximumFrames = 1000

    /// Marks the best frames of the bursts that contain these assets. A burst that cannot be measured is left
    /// unchanged.
    func pick(afterImportOf identifiers: [String]) async throws {
        var bursts: Set<String> = []
        for identifier in identifiers {
            let asset = try? library.asset(withLocalIdentifier: identifier)
            if let burst = asset?.burstIdentifier { bursts.insert(burst) }
        }
        try await pick(fromBursts: bursts)
    }

    /// Marks the best frames of bursts. A burst that cannot be measured is left unchanged.
    ///
    /// - Throws: `CancellationError`.
    func pick(fromBursts bursts: Set<String>) async throws {
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
        let frames = try frames(ofBurst: burst)
        guard (2...Self.maximumFrames).contains(frames.count) else { return }
        var best: (identifier: String, score: Double)?
        for frame in frames {
            guard let quality = try await quality(of: frame) else { continue }
            let score = quality.sharpness * quality.exposure
            // The first of equal frames is kept.
            if score > best?.score ?? -1 { best = (frame.localIdentifier, score) }
        }
        guard let best else { return }
        try await mark(best.identifier, ofBurst: burst)
    }

    private func frames(ofBurst burst: String) throws -> [Asset] {
        try Asset.fetchAssets(withBurstIdentifier: burst, in: library, options: .everything)
            .elements()
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

    private func mark(_ best: String, ofBurst burst: String) async throws {
        try await library.performChanges {
            // The frames are fetched again, because another process may have changed the burst in the meantime.
            for frame in try frames(ofBurst: burst) {
                let isBest = frame.localIdentifier == best
                guard frame.burstSelectionTypes.contains(.autoPick) != isBest else { continue }
                try AssetChangeRequest(for: frame).setAutomaticPick(isBest)
            }
        }
    }
}
