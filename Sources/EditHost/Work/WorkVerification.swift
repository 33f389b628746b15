// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

/// Compares results with the library and the extensions of this machine.
struct WorkVerification: Sendable {
    /// A rendered file, and the rendition that this machine would render in its place.
    struct Output: Sendable {
        let made: WorkOutcome.Output
        let target: RenditionTarget
        /// The ingredients, whose key is that of the file.
        let ingredients: RenditionIngredients
        /// Whether the library has this file as this rendition.
        let isStored: Bool
    }

    enum Verdict: Sendable {
        /// The keys of all files are those that this machine would give.
        case valid(Asset, [Output])
        /// The result no longer applies to the library.
        case left(WorkCommitment.Status)
    }

    let library: PhotoLibrary
    let renderer: Renderer
    private var targets: RenditionTargets {
        RenditionTargets(planner: renderer.planner, library: library)
    }

    init(_ library: PhotoLibrary, _ renderer: Renderer) {
        self.library = library
        self.renderer = renderer
    }

    /// Decides whether the outputs of a job may replace the renditions of its asset.
    ///
    /// - Parameters:
    ///   - outputs: Outputs that match those of the job.
    ///   - job: The job as planned; its inputs are only compared by their hashes.
    /// - Throws: `LibraryError`; `HostError` if no runner is available.
    func verdict(on outputs: [WorkOutcome.Output], of job: WorkJob) async throws -> Verdict {
        let history: AssetHistory
        do {
            history = try library.history(ofAsset: job.asset)
        } catch let error as LibraryError where error.code == .noSuchAsset {
            return .left(.deleted)
        }
        guard outputs.allSatisfy({ history.chain(upToEdit: $0.edit) != nil }) else {
            return .left(.deleted)
        }
        do {
            guard try targets.reasonForNone(history) == nil else { return .left(.edited) }
            return try await verdict(on: outputs, of: job, history)
        } catch let error as HostError where error.code == .cannotRender {
            return .left(.otherExtension)
        }
    }

    private func verdict(
        on outputs: [WorkOutcome.Output], of job: WorkJob, _ history: AssetHistory
    ) async throws -> Verdict {
        // Outputs above a new base start from that base, as if it had already been committed.
        var history = history
        var checked: [Output] = []
        for (made, planned) in zip(outputs, job.outputs) {
            guard let target = try target(of: made, in: history),
                (target.settings.video != nil) == (made.part == .video)
            else { return .left(.edited) }
            let ingredients = target.plan.ingredients(
                settings: target.settings, try await renderer.versions(target.settings))
            guard try ingredients.key == made.key.digest else {
                let hasInputs = hasInputs(of: planned, in: job, outputs, target.plan)
                return .left(hasInputs ? .otherExtension : .edited)
            }
            let stored = target.stored
            let isStored =
                stored?.key == made.key.digest && stored?.blob == made.sha256.digest
                && library.containsBlob(made.sha256.digest)
            checked.append(
                Output(made: made, target: target, ingredients: ingredients, isStored: isStored))
            history = history.replacing(
                try Rendition(made, ingredients), ofEdit: made.edit)
        }
        return .valid(history.asset, checked)
    }

    /// Returns the rendition that an output would replace; `nil` if it would replace none.
    private func target(
        of made: WorkOutcome.Output, in history: AssetHistory
    ) throws -> RenditionTarget? {
        let isMotion = made.part == .video && history.asset.mediaType == .image
        let place: StaleRendition.Place =
            made.kind == .base ? .base(edit: made.edit) : isMotion ? .motion : .current
        let target = try targets.target(place, of: history)
        return target?.edit.identifier == made.edit ? target : nil
    }

    /// Whether an output was planned from the same files as it would be now.
    private func hasInputs(
        of planned: WorkJob.Output, in job: WorkJob, _ outputs: [WorkOutcome.Output],
        _ plan: StatePlan
    ) -> Bool {
        let base =
            planned.from.input.map { job.inputs[$0].sha256 }
            ?? planned.from.output.map { outputs[$0].sha256 }
        return base?.digest == plan.base
            && job.inputs[planned.original].sha256.digest == plan.original
    }
}

extension Rendition {
    fileprivate init(_ made: WorkOutcome.Output, _ ingredients: RenditionIngredients) throws {
        self.init(
            kind: made.kind, part: made.part, key: made.key.digest, blob: made.sha256.digest,
            pixelWidth: made.width, pixelHeight: made.height, duration: made.duration,
            format: made.format, createdDate: Date(), ingredients: try ingredients.encoded)
    }
}
