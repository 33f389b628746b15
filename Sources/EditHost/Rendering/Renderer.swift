// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// Runs plans on runners.
struct Renderer: Sendable {
    let pool: RunnerPool
    let library: PhotoLibrary

    /// What a job starts from.
    struct Base: Sendable {
        let bytes: OwnedDescriptor
        let kind: RenderInput.Base
    }

    /// Runs all steps of a plan and gives the output.
    ///
    /// - Throws: `HostError`, naming the extension that failed and the asset.
    func render(_ plan: StatePlan, _ output: RenderOutput) async throws -> RenderedOutput {
        do {
            let base = try open(plan.base, .encoded(plan.baseFormat), of: plan)
            return try await run(plan.steps, over: base, of: plan, output)
        } catch let error as HostError {
            throw error.concerning(asset: plan.assetIdentifier)
        }
    }

    /// Runs steps over a base. Where several extensions shared the runner that died, they are
    /// run again one by one, so that the culprit is named and not its neighbours.
    func run(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: RenderOutput
    ) async throws -> RenderedOutput {
        do {
            return try await runTogether(steps, over: base, of: plan, output)
        } catch let error as HostError {
            guard error.underlying is RunnerDeath, error.extensionIdentifier == nil,
                !Task.isCancelled, StatePlan.unique(steps.map(\.binary)).count > 1
            else { throw error }
            return try await runOneByOne(steps, over: base, of: plan, output)
        }
    }

    private func runTogether(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: RenderOutput
    ) async throws -> RenderedOutput {
        var (steps, base) = (steps, base)
        while true {
            switch try await job(steps, over: base, of: plan, output) {
            case .rendered(let rendered):
                return rendered
            case .file(let index, let file, let announced):
                let author = steps[index].binary.manifest.identifier
                base = try await verified(file, announced: announced, by: author)
                steps.removeFirst(index + 1)
            }
        }
    }

    private enum Outcome: Sendable {
        case rendered(RenderedOutput)
        case file(index: Int, OwnedDescriptor, announced: String)
    }

    private func job(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: RenderOutput
    ) async throws -> Outcome {
        let input = RenderInput(base: base.kind, steps: steps.map(\.renderStep))
        let original = try open(plan.original, base.kind, of: plan).bytes
        let binaries = StatePlan.unique(steps.map(\.binary))
        return try await pool.withRunner(loading: binaries) { runner in
            let result = try await runner.run(
                RenderJob(input: input, output: output), base: base.bytes,
                metadataSource: original)
            switch result {
            case .rendered(let rendered):
                return .rendered(rendered)
            case .fileWritten(let index, let file):
                guard steps.indices.contains(index) else {
                    throw runner.unexpected(.fileWritten(step: index, file))
                }
                let author = steps[index].binary.manifest.identifier
                return .file(
                    index: index, try runner.openWrittenFile(file, by: author),
                    announced: file.contentType)
            }
        }
    }

    private func runOneByOne(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: RenderOutput
    ) async throws -> RenderedOutput {
        var base = base
        for step in steps {
            let pixels = try await runTogether([step], over: base, of: plan, .raw)
            guard let bytes = pixels.bytes, let layout = pixels.layout else {
                throw HostError(.runnerFailed, "a step gave no pixels")
            }
            base = Base(bytes: bytes, kind: .raw(layout))
        }
        return try await runTogether([], over: base, of: plan, output)
    }

    /// Checks a file that an extension wrote, in a runner that holds no extension: that it is a
    /// whole picture of the announced type, and upright.
    ///
    /// - Throws: `HostError` with `extensionFailed`, saying what is wrong with the file.
    func verified(
        _ file: OwnedDescriptor, announced: String, by author: String
    ) async throws -> Base {
        let format = MediaFormat(firstBytes: try file.read(count: MediaFormat.sniffLength))
        guard format.contentType == announced else {
            throw HostError(
                .extensionFailed,
                "it announced \(announced) as its output but wrote \(format.contentType)",
                extension: author)
        }
        let facts: PhotoFacts?
        do {
            facts = try await decoded(file, format).facts
        } catch let error as HostError {
            throw HostError(
                .extensionFailed, "the file that it wrote cannot be used: \(error.message)",
                extension: author, underlying: error)
        }
        guard let orientation = facts?.orientation, orientation == 1 else {
            throw HostError(
                .extensionFailed,
                "the file that it wrote has orientation \(facts?.orientation ?? 0); "
                    + "output must be upright, with orientation 1",
                extension: author)
        }
        return Base(bytes: file, kind: .encoded(format))
    }

    /// Decodes a file fully and gives what it is.
    ///
    /// - Throws: `HostError` with `badInput`, `blockedFormat` or `runnerFailed`.
    func decoded(_ file: OwnedDescriptor, _ format: MediaFormat) async throws -> RenderReport {
        try await pool.withRunner { runner in
            let job = RenderJob(input: RenderInput(base: .encoded(format)), output: .facts)
            switch try await runner.run(job, base: file) {
            case .rendered(let rendered): return rendered.report
            case .fileWritten(let step, let file):
                throw runner.unexpected(.fileWritten(step: step, file))
            }
        }
    }

    /// Opens a file of the library for a job.
    func open(
        _ blob: SHA256Digest, _ kind: RenderInput.Base, of plan: StatePlan
    ) throws -> Base {
        let file = try library.openBlob(blob, ofAsset: plan.assetIdentifier)
        return Base(bytes: try OwnedDescriptor(duplicating: file.descriptor), kind: kind)
    }
}
