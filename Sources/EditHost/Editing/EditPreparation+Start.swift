// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// Providing an extension with the input of its edit.
extension EditPreparation {
    /// The input and parameters that an edit was started with.
    struct Start {
        /// The base of the session's pixels.
        let base: Renderer.Base
        /// Whether the base is reduced. The session then needs the full-size base before it can finish.
        let isReduced: Bool
        var parameters: [String: ParameterValue]
    }

    /// Starts a session's edit from the state that a plan describes.
    ///
    /// If all extensions are trusted, the steps below run in the session's own pipeline. Otherwise they run
    /// beforehand and the session gets their pixels, reduced if previews are requested.
    func start(
        _ session: ControllerSession, _ input: ContentEditingInput, _ plan: StatePlan,
        from recipe: AdjustmentData?
    ) async throws -> Start {
        var start = SessionStart(
            input, plan, recipe, hasMotion: motion(of: input) != nil, displaySize: displaySize)
        start.isInteractive = purpose.isInteractive
        var base = try await opened(plan)
        let runsBelow = Self.runsBelow(in: session, plan)
        start.input.base = base.kind
        var pending: LazyPixelSource?
        if !runsBelow {
            pending = try await pendingInput(base, of: plan, for: session)
            if let pending {
                session.offer(input: pending)
                base = try pending.base
            } else if purpose.isInteractive {
                base = try await reduced(base, for: session, plan)
            } else {
                base = try await fullSize(base, for: session, plan)
            }
            start.input = RenderInput(base: base.kind)
            start.reducedFrom = base.unreducedSize
        }
        var descriptors =
            try pending?.takeDescriptors(hasProfile: false) ?? descriptors(for: session, base)
        start.input.moment = base.moment
        let keepsPixels = plan.keepsPixelsInPlace && binary.manifest.keepsPixelsInPlace
        start.input.movesPixels = keepsPixels ? nil : true
        if !session.isUntrusted, base.moment == nil {
            descriptors.append((.metadataSource, try renderer.metadataSource(of: plan, base)))
        }
        let files = try PackedParameterFiles(
            session.files.known + (runsBelow ? plan.steps.flatMap(\.files) : []), library)
        if files.memory != nil { start.input.files = files.ranges }
        descriptors += files.descriptors
        descriptors += try renderer.lendOriginal(
            to: [binary] + (runsBelow ? plan.steps.map(\.binary) : []), of: plan,
            in: &start.input)
        if let current = try await placeholder(input, plan) {
            if session.isUntrusted {
                start.placeholder = try await lend(
                    placeholder: current, to: session, plan, in: &descriptors)
            } else {
                start.placeholder = current.kind
                descriptors.append((.placeholder, current.bytes))
            }
        }
        if let video = inputVideo(of: input, plan) {
            session.offer(video: video, host.logger)
            start.offersVideo = true
        }
        let parameters = try await session.start(start, descriptors)
        return Start(
            base: base, isReduced: start.reducedFrom != nil, parameters: parameters)
    }

    /// Returns the video that the extension may read as part of its input, or nil if there is none.
    private func inputVideo(
        of input: ContentEditingInput, _ plan: StatePlan
    ) -> InputVideoSource.Opening? {
        let (renderer, library) = (renderer, library)
        if input.mediaType == .video {
            return {
                let video = try await renderer.video(
                    after: input.below, of: input.history, in: library, plan, for: renderer.purpose)
                return (video, nil)
            }
        }
        guard let motion = motion(of: input) else { return nil }
        return {
            let plan = try renderer.planner.plan(motion.below, of: motion.history)
            let video = try await renderer.video(
                after: motion.below, of: motion.history, in: library, plan, for: renderer.purpose)
            return (video, input.history)
        }
    }

    /// Returns the motion of the input, or nil if it is hidden and the edit does not show it again.
    private func motion(
        of input: ContentEditingInput
    ) -> (history: AssetHistory, below: [Edit])? {
        input.playbackStyle == .livePhoto || editsMotion(of: input) ? input.motion : nil
    }

    /// Returns an input that is decoded when an untrusted extension reads it, or nil if the input has to be rendered
    /// first.
    private func pendingInput(
        _ base: Renderer.Base, of plan: StatePlan, for session: ControllerSession
    ) async throws -> LazyPixelSource? {
        guard session.isUntrusted, !purpose.isInteractive, plan.steps.isEmpty, base.isEncoded
        else { return nil }
        return try await LazyPixelSource(
            base, of: plan, longerSide: nil, by: renderer, for: binary, host.logger)
    }

    /// Offers an untrusted extension the current state as a placeholder, rendered when it is read.
    ///
    /// - Returns: The layout of the pixels, or nil if there are too many for a placeholder.
    private func lend(
        placeholder: Renderer.Base, to session: ControllerSession, _ plan: StatePlan,
        in descriptors: inout [(DescriptorRole, OpenFile)]
    ) async throws -> RenderInput.Base? {
        guard
            let pending = try await LazyPixelSource(
                placeholder, of: plan, longerSide: displaySize, by: renderer, for: binary,
                host.logger)
        else { return nil }
        session.offer(placeholder: pending)
        let hasProfile = descriptors.contains { $0.0 == .profile }
        descriptors += try pending.takeDescriptors(hasProfile: hasProfile)
        return .raw(pending.layout)
    }

    /// Opens the base of a plan. The base of a video is its previewed frame.
    private func opened(_ plan: StatePlan) async throws -> Renderer.Base {
        if let prefetch, prefetch.original == plan.base { return try await prefetch.base }
        let file = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan)
        return try await renderer.still(of: file, at: time)
    }

    /// Returns whether the steps below run in the session's own runner.
    private static func runsBelow(in session: ControllerSession, _ plan: StatePlan) -> Bool {
        !session.isUntrusted && plan.steps.allSatisfy(\.binary.isTrusted)
    }

    private func descriptors(
        for session: ControllerSession, _ base: Renderer.Base
    ) throws -> [(DescriptorRole, OpenFile)] {
        let profile = session.isUntrusted ? base.profile : nil
        return try [base.lent()] + (profile.map { [(.profile, $0)] } ?? [])
    }

    /// Supplies full-size pixels to a session that was started with reduced ones.
    ///
    /// - Returns: The new base of the session's pixels.
    func supplyFullSize(
        to session: ControllerSession, _ plan: StatePlan
    ) async throws -> Renderer.Base {
        let file = try await opened(plan)
        let base = try await fullSize(file, for: session, plan)
        try await session.supplyFullSize(base.kind, try descriptors(for: session, base))
        return base
    }

    // MARK: - Pixels

    /// Returns the use of the buffer for the session's input, or nil for a trusted extension, which needs no separate
    /// buffer.
    private func use(by session: ControllerSession) -> PixelBuffers.Use? {
        session.isUntrusted ? .input(binary.digest) : nil
    }

    private func fullSize(
        _ base: Renderer.Base, for session: ControllerSession, _ plan: StatePlan
    ) async throws -> Renderer.Base {
        try await renderer.pixels(
            plan.steps, over: base, of: plan, UncompressedPixelsOutput(use: use(by: session)))
    }

    /// Returns the input at display size. The steps below run over a base of that size.
    private func reduced(
        _ base: Renderer.Base, for session: ControllerSession, _ plan: StatePlan
    ) async throws -> Renderer.Base {
        let isInput = plan.steps.isEmpty
        let renderer = interactiveRenderer
        let picture = try await renderer.run(
            [], over: base, of: plan,
            UncompressedPixelsOutput(longerSide: displaySize, use: isInput ? use(by: session) : nil)
        )
        var reduced = Renderer.Base(pixels: picture, over: base)
        reduced.reduction = ReducedScale(of: picture)
        if isInput { return reduced }
        return try await renderer.pixels(
            plan.steps, over: reduced, of: plan, UncompressedPixelsOutput(use: use(by: session)))
    }

    /// Renders the state that a plan describes at display size, into memory that is not shared with the session.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func displaySizePixels(of plan: StatePlan) async throws -> UncompressedPixels {
        let renderer = interactiveRenderer
        let base = try await opened(plan)
        let picture = try await renderer.run(
            [], over: base, of: plan, UncompressedPixelsOutput(longerSide: displaySize))
        guard !plan.steps.isEmpty else { return picture }
        var reduced = Renderer.Base(pixels: picture, over: base)
        reduced.reduction = ReducedScale(of: picture)
        return try await renderer.run(
            plan.steps, over: reduced, of: plan, UncompressedPixelsOutput())
    }

    /// Returns the stored rendition of the current state, to be used as the placeholder. Returns nil if the input
    /// itself is the current state.
    ///
    /// Also returns nil if the rendition is missing or damaged, in which case the input serves as the placeholder. The
    /// same applies to a single preview of a video: no user waits for a placeholder there, and decoding one takes time.
    private func placeholder(
        _ input: ContentEditingInput, _ plan: StatePlan
    ) async throws -> Renderer.Base? {
        let chain = input.history.chain
        guard input.below.count < chain.count, let current = library.storedPicture(of: chain),
            purpose != .preview || current.format.mediaType != .video
        else { return nil }
        do {
            let file = try renderer.open(current.blob, .encoded(current.format), of: plan)
            return try await renderer.still(of: file, at: time)
        } catch let error as LibraryError where error.code == .renditionDamaged {
            return nil
        }
    }
}

extension SessionStart {
    /// Creates the start of an edit whose steps below run in its own pipeline.
    ///
    /// The extension receives the metadata of the original file, as in a re-render. Metadata that the user has
    /// changed since would give other pixels for the same recipe.
    fileprivate init(
        _ input: ContentEditingInput, _ plan: StatePlan, _ recipe: AdjustmentData?,
        hasMotion: Bool, displaySize: Int
    ) {
        let facts = plan.originalFacts
        var subtypes = facts.mediaSubtypes
        // The playback style that the extension derives from them is that of its input.
        if !hasMotion { subtypes.remove(.photoLive) }
        if input.playbackStyle != .imageAnimated { subtypes.remove(.animated) }
        self.init(
            input: RenderInput(
                base: .encoded(plan.baseFormat), steps: plan.steps.map(\.renderStep)),
            adjustmentData: recipe, placeholder: nil,
            mediaType: input.history.asset.mediaType,
            mediaSubtypes: subtypes, creationDate: facts.creationDate?.text,
            location: facts.location, capture: CaptureFacts(facts),
            contentType: facts.format.contentType,
            renderedContentType: EncodeSettings.rendition(of: plan.originalFacts)
                .format.contentType, displaySize: displaySize)
    }
}
