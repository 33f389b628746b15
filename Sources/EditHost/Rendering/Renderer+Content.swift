// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension Renderer {
    /// Renders a state for storage: the encoded picture, and the lossless results of the steps that store them.
    ///
    /// - Parameter staged: The base of the plan's steps, if it is not in the library yet.
    /// - Returns: The content, and the new bases by the index of their step in the plan.
    /// - Throws: `HostError`, `LibraryError`.
    func content(
        of plan: StatePlan, over staged: RenderedContent? = nil
    ) async throws -> (current: RenderedContent, bases: [Int: RenderedContent]) {
        var plan = plan
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        var bases: [Int: RenderedContent] = [:]
        var done = 0
        // A base that was just rendered is not in the library yet.
        var staged = staged
        // The steps of a video are not stored: their results would be many times as large.
        while settings.video == nil, let stored = plan.steps.firstIndex(where: \.storesResult) {
            let base = try await content(
                of: plan.upTo(stored), .base(of: plan.originalFacts), over: staged)
            bases[done + stored] = base
            done += stored + 1
            plan = plan.above(stored, over: base)
            staged = base
        }
        return (try await content(of: plan, settings, over: staged), bases)
    }

    /// Renders, stages and describes one file.
    ///
    /// - Parameter staged: The base of the plan's steps, if it is not in the library yet.
    /// - Throws: `HostError`, `LibraryError`.
    func content(
        of plan: StatePlan, _ settings: EncodeSettings, over staged: RenderedContent? = nil
    ) async throws -> RenderedContent {
        guard let staged else {
            return try await content(try await picture(of: plan, settings), settings, plan)
        }
        let base = Base(
            bytes: try staged.blob.open(), kind: .encoded(staged.format))
        let picture = try await run(plan.steps, over: base, of: plan, EncodedOutput(settings))
        return try await content(picture, settings, plan)
    }

    /// Stages an encoded picture as the content of the state that a plan describes.
    ///
    /// - Throws: `HostError`, `LibraryError`.
    func content(
        _ picture: EncodedOutput.Picture, _ settings: EncodeSettings, _ plan: StatePlan
    ) async throws -> RenderedContent {
        let ingredients = plan.ingredients(
            settings: settings, try await versions(settings))
        let blob = try await source.stage(
            descriptor: picture.bytes.descriptor, expectedSize: picture.byteCount)
        try check(blob, picture.size, settings.format, plan)
        return RenderedContent(
            blob: blob, key: try ingredients.key, ingredients: try ingredients.encoded,
            pixelWidth: picture.size.width, pixelHeight: picture.size.height,
            duration: picture.duration, format: settings.format, omissions: picture.omissions)
    }

    /// Rejects an output of the wrong format or of an out-of-range size, reading the host's own copy. Runners that
    /// encode load only trusted extensions, so the pixels are not decoded again.
    private func check(
        _ blob: StagedBlob, _ size: PixelSize, _ format: MediaFormat, _ plan: StatePlan
    ) throws {
        let start = try blob.open().read(count: MediaFormat.sniffLength)
        let sides = 1...(1 << 20)
        guard MediaFormat(firstBytes: start) == format, sides.contains(size.width),
            sides.contains(size.height)
        else {
            throw HostError(
                .runnerFailed,
                "the runner did not write a \(format.displayName) file; its output was discarded",
                asset: plan.assetIdentifier)
        }
    }
}
