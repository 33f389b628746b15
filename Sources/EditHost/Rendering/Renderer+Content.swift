// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

extension Renderer {
    /// Renders a state as it is stored: its steps, the lossless results of those that store
    /// theirs, and the encoded picture.
    ///
    /// - Returns: the content, and the new bases by the index of their step in the plan.
    /// - Throws: `HostError`, `LibraryError`.
    func content(
        of plan: StatePlan
    ) async throws -> (current: RenderedContent, bases: [Int: RenderedContent]) {
        var plan = plan
        var bases: [Int: RenderedContent] = [:]
        var done = 0
        while let stored = plan.steps.firstIndex(where: \.storesResult) {
            let lower = plan.upTo(stored)
            let content = try await encodedContent(of: lower, .base(of: plan.originalFacts))
            bases[done + stored] = content
            done += stored + 1
            plan = plan.above(stored, over: content)
            if plan.steps.isEmpty { break }
        }
        let settings = EncodeSettings.rendition(of: plan.originalFacts)
        // A base that was only just rendered is not in the library yet.
        if let base = bases.values.first(where: { $0.blob.hash == plan.base }) {
            return (try await encodedContent(of: plan, settings, over: base), bases)
        }
        return (try await encodedContent(of: plan, settings), bases)
    }

    /// Renders, stages and describes one file.
    func encodedContent(
        of plan: StatePlan, _ settings: EncodeSettings, over staged: RenderedContent? = nil
    ) async throws -> RenderedContent {
        let output: RenderedOutput
        if let staged {
            let file = try staged.blob.open()
            let base = Base(
                bytes: try OwnedDescriptor(file),
                kind: .encoded(staged.format))
            output = try await run(plan.steps, over: base, of: plan, .encoded(settings))
        } else {
            output = try await render(plan, .encoded(settings))
        }
        return try await content(output, settings, plan)
    }

    /// Stages an encoded output as the state that a plan describes.
    func content(
        _ output: RenderedOutput, _ settings: EncodeSettings, _ plan: StatePlan
    ) async throws -> RenderedContent {
        guard let bytes = output.bytes else {
            throw HostError(.runnerFailed, "there is no output", asset: plan.assetIdentifier)
        }
        let ingredients = plan.ingredients(
            settings: settings, vips: try await pool.facts().vipsVersion)
        let blob = try await library.stage(
            descriptor: bytes.number, expectedSize: output.report.byteCount)
        try check(blob, output.report, settings.format, plan)
        return RenderedContent(
            blob: blob, key: try ingredients.key, ingredients: try ingredients.encoded,
            pixelWidth: output.report.width, pixelHeight: output.report.height,
            format: settings.format)
    }

    /// Refuses an output whose beginning, in the host's own copy, is not of its format, or whose
    /// size cannot be. A runner that encodes holds no extension but trusted ones, so that the
    /// pixels behind are not decoded again.
    private func check(
        _ blob: StagedBlob, _ report: RenderReport, _ format: MediaFormat, _ plan: StatePlan
    ) throws {
        let file = try blob.open()
        let start = try withExtendedLifetime(file) {
            try OwnedDescriptor(file)
                .read(count: MediaFormat.sniffLength)
        }
        let sides = 1...(1 << 20)
        guard MediaFormat(firstBytes: start) == format, sides.contains(report.width),
            sides.contains(report.height)
        else {
            throw HostError(
                .runnerFailed,
                "what the runner wrote is not a \(format.displayName) picture; it was discarded",
                asset: plan.assetIdentifier)
        }
    }
}

extension StatePlan {
    /// The plan's lower part, up to and with the step of this index.
    func upTo(_ index: Int) -> StatePlan {
        var plan = self
        plan.steps = Array(steps[...index])
        return plan
    }

    /// The plan's upper part, over the stored result of the step of this index.
    func above(_ index: Int, over content: RenderedContent) -> StatePlan {
        over(content.blob.hash, content.format, Array(steps[(index + 1)...]))
    }

    /// A plan of other steps over a stored picture.
    func over(_ base: SHA256Digest, _ format: MediaFormat, _ steps: [Step]) -> StatePlan {
        StatePlan(
            assetIdentifier: assetIdentifier, originalResource: originalResource,
            original: original, originalFacts: originalFacts, base: base, baseFormat: format,
            steps: steps)
    }
}
