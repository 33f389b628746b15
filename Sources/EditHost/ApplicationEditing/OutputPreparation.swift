// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// Checks the result of an application's own edit and prepares it for a commit.
struct OutputPreparation: Sendable {
    let renderer: Renderer
    let library: PhotoLibrary

    /// - Throws: `HostError`, `LibraryError`.
    func prepare(_ output: ContentEditingOutput) async throws -> ContentEditingOutput {
        guard output.adjustmentData != nil else {
            throw LibraryError(
                .missingAdjustmentData,
                "the output has no adjustment data; an edit must describe what it did",
                asset: output.input.asset.localIdentifier)
        }
        let (type, path) = try written(output)
        let staged = try await stage(path)
        let facts = try await facts(of: staged, as: type)
        let plan = try renderer.planner.plan(output.input.below, of: output.input.history)
        var prepared = output
        prepared.editingExtension = nil
        prepared.baseRenditions = [:]
        try await prepare(&prepared, staged, type, facts, plan)
        if let motion = try await motion(of: output) {
            prepared.renderedContent?.otherParts = [motion]
        }
        return prepared
    }

    private func prepare(
        _ prepared: inout ContentEditingOutput, _ staged: StagedBlob, _ type: MediaFormat,
        _ facts: PhotoFacts, _ plan: StatePlan
    ) async throws {
        // Decision 14: kept byte for byte, because re-encoding would only lose quality.
        if type == .jpeg && facts.orientation == 1 || type.mediaType == .video {
            prepared.renderedContent = try await content(staged, facts, plan)
            return
        }
        let base =
            facts.orientation == 1
            ? try await content(staged, facts, plan) : try await upright(staged, type, plan)
        prepared.baseRenditions = [prepared.input.below.count + 1: base]
        prepared.renderedContent = try await current(over: base, plan)
    }

    /// Returns the video of a Live Photo that was written beside its still, or nil if there is none.
    private func motion(of output: ContentEditingOutput) async throws -> RenderedContent? {
        let files = try output.writtenMotion()
        guard let file = files.first else { return nil }
        guard files.count == 1, let motion = output.input.motion else {
            throw HostError(
                .invalidRenderedContent,
                files.count == 1
                    ? "a video was written, but the asset is not a Live Photo in the edited state"
                    : "more than one video was written; write one")
        }
        let staged = try await stage(file.path)
        let facts = try await facts(of: staged, as: file.type)
        let plan = try renderer.planner.plan(motion.below, of: motion.history)
        return try await content(staged, facts, plan)
    }

    /// Returns the one file that the application wrote.
    private func written(
        _ output: ContentEditingOutput
    ) throws -> (type: MediaFormat, path: String) {
        let files = try output.writtenFiles()
        guard let file = files.first else {
            let path = try output.renderedContentURL.path
            throw HostError(
                .missingRenderedContent,
                "no result was written to \(path) or to the path for another type")
        }
        guard files.count == 1 else {
            let names = files.map(\.type.displayName).joined(separator: " and ")
            throw HostError(
                .invalidRenderedContent, "more than one result was written (\(names)); write one")
        }
        return file
    }

    /// Makes a private copy, because the file may change while it is decoded.
    private func stage(_ path: String) async throws -> StagedBlob {
        do {
            return try await library.stage(path: path)
        } catch let error as LibraryError where [.cannotRead, .sizeMismatch].contains(error.code) {
            throw HostError(
                .invalidRenderedContent, "the result written to \(path) cannot be read: \(error)",
                underlying: error)
        }
    }

    /// Decodes the file completely, in a runner without extensions.
    private func facts(of staged: StagedBlob, as type: MediaFormat) async throws -> PhotoFacts {
        let file = try staged.open()
        let found = MediaFormat(firstBytes: try file.read(count: MediaFormat.sniffLength))
        guard found == type else {
            throw HostError(
                .invalidRenderedContent,
                "the file written to the path for a \(type.displayName) file is "
                    + (found == .unknown
                        ? "not a \(type.mediaType == .video ? "video" : "picture")"
                        : "a \(found.displayName) file")
                    + "; use renderedContentURL(for:) with the type of the file")
        }
        do {
            let pool =
                try type.mediaType == .video ? renderer.pool.forVideos() : renderer.pool
            return try await pool.decoded(file, type).facts
        } catch let error as HostError where error.isAboutPicture {
            throw HostError(
                .invalidRenderedContent,
                "the \(type.displayName) file that was written cannot be used: \(error.message)",
                underlying: error)
        }
    }

    /// Returns the content of a file that is stored unchanged. The file is its only ingredient.
    private func content(
        _ staged: StagedBlob, _ facts: PhotoFacts, _ plan: StatePlan
    ) async throws -> RenderedContent {
        var settings = EncodeSettings(format: facts.format, bitsPerSample: facts.bitsPerSample)
        if facts.video != nil { settings.video = VideoSettings() }
        let ingredients = plan.over(staged.hash, facts.format, []).ingredients(
            settings: settings, try await renderer.versions(settings))
        return RenderedContent(
            blob: staged, key: try ingredients.key, ingredients: try ingredients.encoded,
            pixelWidth: facts.pixelWidth, pixelHeight: facts.pixelHeight,
            duration: facts.video?.duration, format: facts.format)
    }

    /// Stores the upright pixels of a file losslessly.
    private func upright(
        _ staged: StagedBlob, _ type: MediaFormat, _ plan: StatePlan
    ) async throws -> RenderedContent {
        let settings = EncodeSettings(format: .tiff, bitsPerSample: 16)
        return try await encoded(staged, type, settings, plan)
    }

    private func current(
        over base: RenderedContent, _ plan: StatePlan
    ) async throws -> RenderedContent {
        try await encoded(base.blob, base.format, .rendition(of: plan.originalFacts), plan)
    }

    private func encoded(
        _ staged: StagedBlob, _ type: MediaFormat, _ settings: EncodeSettings, _ plan: StatePlan
    ) async throws -> RenderedContent {
        let base = Renderer.Base(
            bytes: try staged.open(), kind: .encoded(type))
        // The application may have moved pixels, so they are not marked as in place. The original may be offline; the
        // metadata then comes from the plan's base.
        let moved = plan.over(plan.base, plan.baseFormat, [])
        let rendered = try await renderer.run(
            [], over: base, of: moved, EncodedOutput(settings))
        return try await renderer.content(rendered, settings, plan.over(staged.hash, type, []))
    }
}
