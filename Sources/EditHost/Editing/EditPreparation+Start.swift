// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension ExtensionHost {
    /// The longer side of the pictures that an edit is previewed with, in pixels.
    static let displaySize = SessionStart.displaySize
}

/// Giving an extension what its edit starts from.
extension EditPreparation {
    /// Starts a session's edit from the state that a plan describes.
    ///
    /// Where all are trusted, the steps below run in the session's own pipeline. Else they are
    /// run before, and the session gets their pixels.
    ///
    /// - Parameters:
    ///   - renderer: for a preview, pixels can be reduced ones: the edit will not be finished.
    /// - Returns: what the session's pixels start from.
    func start(
        _ session: EditingSession, _ input: ContentEditingInput, _ plan: StatePlan,
        with renderer: Renderer
    ) async throws -> Renderer.Base {
        let isPreview = renderer.purpose == .preview
        var start = SessionStart(input, plan)
        var base = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan)
        let isShared = !session.isIsolated && plan.steps.allSatisfy(\.binary.isTrusted)
        if !isShared {
            let output = RawOutput(
                longerSide: isPreview ? ExtensionHost.displaySize : nil,
                use: session.isIsolated ? .input(binary.digest) : nil)
            let pixels = try await renderer.run(plan.steps, over: base, of: plan, output)
            base = Renderer.Base(pixels: pixels, over: base)
            start.input = RenderInput(base: base.kind)
            start.reducedFrom = isPreview ? pixels.fullSize : nil
        }
        var descriptors = [try base.lent()]
        if !session.isIsolated {
            descriptors.append((.metadataSource, try renderer.metadataSource(of: plan, base)))
        } else if let profile = base.profile {
            descriptors.append((.profile, profile))
        }
        if let placeholder = try await placeholder(for: session, input, plan, renderer) {
            start.placeholder = placeholder.kind
            descriptors.append((.placeholder, placeholder.bytes))
        }
        _ = try await session.start(start, descriptors)
        return base
    }

    /// The current state as it is stored; nil where the input state is the current one. A lost or damaged
    /// rendition is no reason not to edit: the input stands in for it.
    private func placeholder(
        for session: EditingSession, _ input: ContentEditingInput, _ plan: StatePlan,
        _ renderer: Renderer
    ) async throws -> Renderer.Base? {
        let chain = input.history.chain
        guard input.below.count < chain.count, let current = chain.last?.current,
            renderer.library.containsBlob(current.blob)
        else { return nil }
        let stored: Renderer.Base
        do {
            stored = try renderer.open(current.blob, .encoded(current.format), of: plan)
        } catch let error as LibraryError where error.code == .renditionDamaged {
            return nil
        }
        guard session.isIsolated else { return stored }
        return try await renderer.pixels(
            [], over: stored, of: plan, RawOutput(longerSide: ExtensionHost.displaySize))
    }
}

extension SessionStart {
    /// The start of an edit whose steps below run in its own pipeline.
    ///
    /// The extension is told what the original's file says, as when the edit is rendered again: what
    /// the user has changed since would make other pixels of the same recipe.
    fileprivate init(_ input: ContentEditingInput, _ plan: StatePlan) {
        let facts = plan.originalFacts
        self.init(
            input: RenderInput(
                base: .encoded(plan.baseFormat), steps: plan.steps.map(\.renderStep)),
            adjustmentData: input.adjustmentData, placeholder: nil,
            mediaType: input.history.asset.mediaType,
            mediaSubtypes: facts.mediaSubtypes, creationDate: facts.creationDate?.text,
            location: facts.location, contentType: facts.format.contentType,
            renderedContentType: EncodeSettings.rendition(of: plan.originalFacts)
                .format.contentType, displaySize: ExtensionHost.displaySize)
    }
}
