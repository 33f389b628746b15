// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerHost

/// Plans how the states of assets are rendered.
struct StatePlanner: Sendable {
    let extensions: ExtensionStore
    /// The library of the assets.
    var library: PhotoLibrary?

    /// Returns the plan for the state of an asset after an edit stack.
    ///
    /// The base is the nearest step below that is not run again: made by an application, made by a missing extension,
    /// or stored losslessly because it is expensive. Otherwise it is the original. If the result of a step that
    /// cannot be run is not stored, the base is the nearest stored result above it.
    /// See docs/design/decisions/0002-states-from-a-base.md.
    /// - Throws: `HostError` with `cannotRender`, naming the step and the reason.
    func plan(_ chain: [Edit], of history: AssetHistory) throws -> StatePlan {
        let asset = history.asset.localIdentifier
        guard let original = history.original, let hash = original.contentHash,
            var facts = original.facts
        else {
            throw HostError(.cannotRender, Self.lacking(history.original), asset: asset)
        }
        // One of the two files alone does not show that they are a Live Photo.
        if history.asset.mediaSubtypes.contains(.photoLive) {
            facts.mediaSubtypes.insert(.photoLive)
        }
        var plan = StatePlan(
            assetIdentifier: asset, originalResource: original, original: hash,
            originalFacts: facts, base: hash, baseFormat: original.format,
            basePixelsAreInPlace: true, steps: [])
        if history.asset.mediaType == .image, facts.video != nil {
            plan.stillWidth = history.asset.originalPixelWidth
        }
        var steps: [StatePlan.Step] = []
        // The lowest stored result so far, and the steps above it.
        var lowest: (stored: Rendition, steps: [StatePlan.Step], index: Int)?
        // Decision 33: a disabled edit stays in the stack and is omitted from the plan.
        for (index, edit) in chain.enumerated().reversed() where edit.isEnabled {
            if let base = edit.base {
                return plan.over(
                    base.blob, base.format, steps,
                    pixelsAreInPlace: keepsPixelsInPlace(chain[...index]))
            }
            if let stored = edit.current { lowest = (stored, steps, index) }
            do {
                steps.insert(try step(edit), at: 0)
            } catch let error as HostError {
                guard let (stored, steps, index) = lowest else {
                    throw HostError(
                        .cannotRender,
                        "an edit cannot be applied again, and its result is not stored: \(error)",
                        asset: asset, extension: error.extensionIdentifier, underlying: error)
                }
                return plan.over(
                    stored.blob, stored.format, steps,
                    pixelsAreInPlace: keepsPixelsInPlace(chain[...index]))
            }
        }
        plan.steps = steps
        return plan
    }

    /// Whether no enabled edit moves pixels, according to the manifests of the installed extensions.
    func keepsPixelsInPlace(_ chain: some Sequence<Edit>) -> Bool {
        chain.allSatisfy { edit in
            guard edit.isEnabled else { return true }
            let binary = edit.editingExtension.flatMap {
                try? extensions.binary(identifier: $0.identifier)
            }
            return binary?.manifest.keepsPixelsInPlace ?? false
        }
    }

    private static func lacking(_ original: AssetResource?) -> String {
        guard let original, original.contentHash != nil else { return "the original is missing" }
        let reading = "run edithost import --again"
        return original.format.mediaType == .video
            ? "the video was imported without edithost-media-runner, so its details are "
                + "unknown; install that next to edithost (make install-media), and "
                + "\(reading)"
            : "the original was added without being decoded; \(reading)"
    }

    /// Returns the plan that reruns the last edit of a stack, even if its result is stored.
    ///
    /// - Throws: `HostError` with `cannotRender`.
    func plan(rerunning chain: [Edit], of history: AssetHistory) throws -> StatePlan {
        var plan = try plan(Array(chain.dropLast()), of: history)
        if let last = chain.last, last.isEnabled { plan.steps.append(try step(last)) }
        return plan
    }

    /// Returns the reason why an edit cannot be run again, or `nil` if it can.
    func obstacle(to edit: Edit) -> HostError? {
        guard edit.isEnabled else { return nil }
        do {
            _ = try step(edit)
            return nil
        } catch {
            return error as? HostError ?? HostError(.cannotRender, "\(error)", underlying: error)
        }
    }

    /// Whether all of the edits can be run again.
    func canRender(_ edits: [Edit]) -> Bool { edits.allSatisfy { obstacle(to: $0) == nil } }

    /// Returns the reason why a plan starts from a stored result that may be lossy. The result is `nil` if every step
    /// above the last lossless base can be run.
    func obstacle(in chain: [Edit]) -> HostError? {
        for edit in chain.reversed() where edit.isEnabled {
            if edit.base != nil { return nil }
            if let obstacle = obstacle(to: edit) { return obstacle }
        }
        return nil
    }

    func step(_ edit: Edit) throws -> StatePlan.Step {
        guard let identity = edit.editingExtension else {
            throw HostError(
                .cannotRender, "the edit was made by an application, without an extension")
        }
        guard edit.isReproducible else {
            throw HostError(
                .cannotRender, "\(identity.identifier) did not render it again from its recipe",
                extension: identity.identifier)
        }
        let binary = try extensions.binary(identifier: identity.identifier, for: library?.path)
        try Self.requireReader(binary, of: edit, by: identity)
        return StatePlan.Step(
            binary: binary,
            adjustmentData: edit.adjustmentData, storesResult: edit.base != nil,
            files: edit.files.map(ParameterFile.init))
    }

    /// Rejects another version of the extension if its manifest does not declare the recipe's format, without
    /// starting it.
    private static func requireReader(
        _ binary: ExtensionBinary, of edit: Edit, by author: EditingExtensionIdentity
    ) throws {
        let data = edit.adjustmentData
        let manifest = binary.manifest
        let isKnown =
            manifest.declaresReading(data) || manifest.writes.contains { $0.matches(data) }
        guard binary.identity != author, !isKnown else { return }
        throw HostError(
            .cannotRender,
            "the installed version \(manifest.version) does not read the stored recipe, which "
                + "has the format \(data.formatIdentifier) \(data.formatVersion); install a "
                + "version that does (edithost extensions install), or replace the extension "
                + "(edithost extensions replace)",
            extension: author.identifier)
    }
}
