// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerHost
import RunnerProtocol

/// Renders the states of assets. All pictures of assets are requested here.
struct Renderer: Sendable {
    let source: any RenderSource
    let pool: RunnerPool
    let planner: StatePlanner
    /// The purpose of the pixels, which determines how strictly their source files are checked.
    var purpose: ReadingPurpose
    /// The original of an asset that is not in the library yet.
    var stagedOriginal: StagedBlob?
    /// Whether the renderer works for a session, whose runner counts for both.
    var isForSession = false
    /// The progress and cancellation of a video render.
    var videoCallbacks = VideoRenderCallbacks()

    /// Creates a renderer of a library's assets.
    init(
        library: PhotoLibrary, pool: RunnerPool, extensions: ExtensionStore,
        purpose: ReadingPurpose, stagedOriginal: StagedBlob? = nil
    ) {
        source = library
        self.pool = pool
        planner = StatePlanner(extensions: extensions, library: library)
        self.purpose = purpose
        self.stagedOriginal = stagedOriginal
    }

    /// Creates a renderer of files that belong to no library.
    init(source: any RenderSource, pool: RunnerPool, extensions: ExtensionStore) {
        self.source = source
        self.pool = pool
        planner = StatePlanner(extensions: extensions)
        purpose = .rendering
    }

    /// Renders the state after an edit stack, encoded like its rendition.
    ///
    /// - Throws: `HostError`, naming the extension that failed and the asset; `LibraryError`.
    func picture(of chain: [Edit], in history: AssetHistory) async throws -> EncodedOutput.Picture {
        let plan = try planner.plan(chain, of: history)
        return try await picture(of: plan, .rendition(of: plan.originalFacts))
    }

    /// Renders the picture that a plan describes.
    ///
    /// - Throws: `HostError`, naming the extension that failed and the asset; `LibraryError`.
    func picture(
        of plan: StatePlan, _ settings: EncodeSettings
    ) async throws -> EncodedOutput.Picture {
        do {
            if let video = settings.video {
                return try await VideoRendering(
                    renderer: self, plan: plan, settings: settings, video: video,
                    callbacks: videoCallbacks
                ).run()
            }
            let base = try open(plan.base, .encoded(plan.baseFormat), of: plan)
            let picture = try await run(plan.steps, over: base, of: plan, EncodedOutput(settings))
            try requireUnchangedOriginal(of: plan)
            return picture
        } catch let error as HostError {
            throw error.naming(asset: plan.assetIdentifier)
        }
    }

    /// Returns the versions of the libraries that files with these settings depend on.
    ///
    /// - Throws: `HostError`.
    func versions(_ settings: EncodeSettings) async throws -> StatePlan.LibraryVersions {
        let media = try await settings.video == nil ? nil : pool.forVideos().facts().codecVersions
        return .init(vips: try await pool.facts().vipsVersion, media: media)
    }

    /// Renders the rendition of the state after an edit stack, ready to be committed.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func rendition(of chain: [Edit], in history: AssetHistory) async throws -> RenderedContent {
        let plan = try planner.plan(chain, of: history)
        return try await content(of: plan, .rendition(of: plan.originalFacts))
    }

    /// Renders the lossless result of the last edit of a stack, ready to be committed.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func base(of chain: [Edit], in history: AssetHistory) async throws -> RenderedContent {
        let plan = try planner.plan(rerunning: chain, of: history)
        return try await content(of: plan, .base(of: plan.originalFacts))
    }
}
