// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// Runs plans on runners.
struct Renderer: Sendable {
    let pool: RunnerPool
    let library: PhotoLibrary
    /// What becomes of the pixels; how sure one has to be of the files that they are drawn from
    /// depends on it.
    var purpose = ReadingPurpose.drawing
    /// The original of an asset that is not in the library yet.
    var stagedOriginal: StagedBlob?

    /// What a job starts from.
    struct Base: Sendable {
        let bytes: OwnedDescriptor
        let kind: RenderInput.Base
        /// The original's RGB profile, for pixels that are in that.
        var profile: OwnedDescriptor?
        /// Where the pixels are, in memory that is used again.
        var buffer: PixelBuffers.Buffer?

        /// The bytes for an extension, which must not write where others may read. Whoever encodes
        /// gets them as they are, and reads each pixel once.
        func lent() throws -> (DescriptorRole, OwnedDescriptor) {
            buffer == nil ? (.base, bytes) : (.reusedBase, try bytes.readOnly())
        }

        var isEncoded: Bool {
            if case .encoded = kind { true } else { false }
        }
    }

    /// Runs all steps of a plan and gives the output.
    ///
    /// - Throws: `HostError`, naming the extension that failed and the asset.
    func render(_ plan: StatePlan, _ output: RenderOutput) async throws -> RenderedOutput {
        do {
            let base = try open(plan.base, .encoded(plan.baseFormat), of: plan)
            let rendered = try await run(plan.steps, over: base, of: plan, output)
            try requireUnchangedOriginal(of: plan)
            return rendered
        } catch let error as HostError {
            throw error.concerning(asset: plan.assetIdentifier)
        }
    }

    /// Runs steps over a base. Where several extensions shared the runner that died, they are
    /// run again one by one, so that the culprit is named and not its neighbours.
    ///
    /// - Parameter reader: the extension that will read raw output, and is not trusted.
    func run(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: RenderOutput,
        for reader: ExtensionBinary? = nil
    ) async throws -> RenderedOutput {
        do {
            return try await runTogether(steps, over: base, of: plan, output, for: reader)
        } catch let error as HostError {
            try await requireSoundness(of: base, after: error, steps.map(\.binary))
            guard error.underlying is RunnerDeath, error.extensionIdentifier == nil,
                !Task.isCancelled, StatePlan.unique(steps.map(\.binary)).count > 1
            else { throw error }
            return try await runOneByOne(steps, over: base, of: plan, output)
        }
    }

    /// Runs the steps in as few jobs as trust allows: those that are trusted and follow one another
    /// share a pipeline; any other extension has a job, and a runner, of its own.
    private func runTogether(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: RenderOutput,
        for reader: ExtensionBinary? = nil
    ) async throws -> RenderedOutput {
        var (rest, base) = (steps[...], base)
        while true {
            let next = rest.sharingRunner
            let isIsolated = next.first.map { !$0.binary.isTrusted } ?? false
            if isIsolated, base.isEncoded {
                let decoded = try await job(
                    [], over: base, of: plan, .raw,
                    use: next.first.map { .input($0.binary.digest) })
                guard case .rendered(let rendered) = decoded else {
                    throw HostError(.runnerFailed, "a picture without steps wrote a file")
                }
                base = try Base(pixels: rendered, over: base)
                continue
            }
            let isLast = next.count == rest.count && (!isIsolated || output == .raw)
            // What one such extension gives and another reads is sealed instead.
            let isForEncoder = isIsolated && next.count == rest.count && !isLast
            let use: PixelBuffers.Use? =
                isForEncoder
                ? next.first.map { .output($0.binary.digest) }
                : isLast && !isIsolated ? reader.map { .input($0.digest) } : nil
            let outcome = try await job(
                Array(next), over: base, of: plan, isLast ? output : .raw,
                use: use)
            if let buffer = base.buffer { pool.buffers.giveBack(buffer) }
            switch outcome {
            case .rendered(let rendered):
                if isLast { return rendered }
                base = try Base(pixels: rendered, over: base)
                rest = rest.dropFirst(next.count)
            case .file(let index, let file, let announced):
                let author = next[next.startIndex + index].binary
                base = try await verified(file, announced: announced, by: author)
                rest = rest.dropFirst(index + 1)
            }
        }
    }

    /// Runs steps and gives the pixels as the base of further ones.
    func pixels(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan,
        _ output: RenderOutput = .raw
    ) async throws -> Base {
        try Base(pixels: try await run(steps, over: base, of: plan, output), over: base)
    }

    private enum Outcome: Sendable {
        case rendered(RenderedOutput)
        case file(index: Int, OwnedDescriptor, announced: String)
    }

    private func job(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: RenderOutput,
        use: PixelBuffers.Use? = nil
    ) async throws -> Outcome {
        // No extension is told of people's keywords.
        var facts = plan.originalFacts
        facts.metadata = nil
        let input = RenderInput(
            base: base.kind, steps: steps.map(\.renderStep), originalFacts: facts,
            renderedContentType: EncodeSettings.rendition(of: facts).format.contentType)
        let binaries = StatePlan.unique(steps.map(\.binary))
        let others = try companions(of: base, for: binaries, plan)
        let isForExtension = !binaries.isEmpty
        let bytes = try isForExtension ? base.lent() : (.base, base.bytes)
        return try await pool.withRunner(loading: binaries) { runner in
            let result = try await runner.run(
                RenderJob(input: input, output: output), base: bytes, others, use: use)
            switch result {
            case .rendered(let rendered):
                return .rendered(rendered)
            case .fileWritten(let index, let file):
                guard steps.indices.contains(index) else {
                    throw runner.unexpected(.fileWritten(step: index, file))
                }
                return .file(
                    index: index, try await runner.takeWrittenFile(), announced: file.contentType)
            }
        }
    }

    /// What goes to a runner beside the base. Untrusted extensions are not given the original itself.
    func companions(
        of base: Base, for binaries: [ExtensionBinary], _ plan: StatePlan
    ) throws -> [(DescriptorRole, OwnedDescriptor)] {
        if binaries.allSatisfy(\.isTrusted) {
            return [(.metadataSource, try metadataSource(of: plan, base))]
        }
        return base.profile.map { [(.profile, $0)] } ?? []
    }

    /// Finds out whether it was the base that ended a runner which decoded it while an extension
    /// computed: then that is to blame, and not the extension.
    ///
    /// - Throws: what is wrong with the base.
    func requireSoundness(
        of base: Base, after error: HostError, _ binaries: [ExtensionBinary]
    ) async throws {
        guard case .encoded(let format) = base.kind, let death = error.underlying as? RunnerDeath,
            case .pixels = death.phase, !Task.isCancelled
        else { return }
        do {
            _ = try await decoded(base.bytes, format)
        } catch let cause as HostError {
            let suspect = binaries.first { $0.manifest.identifier == error.extensionIdentifier }
            if let suspect { pool.quarantine.forgive(suspect) }
            throw cause
        }
    }

    private func runOneByOne(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: RenderOutput
    ) async throws -> RenderedOutput {
        var base = base
        for step in steps {
            let pixels = try await runTogether([step], over: base, of: plan, .raw)
            base = try Base(pixels: pixels, over: base)
        }
        return try await runTogether([], over: base, of: plan, output)
    }

    /// Checks a file that an extension wrote, in a runner that holds no extension: that it is a
    /// whole picture of the announced type, and upright.
    ///
    /// - Throws: `HostError` with `extensionFailed`, saying what is wrong with the file.
    func verified(
        _ file: OwnedDescriptor, announced: String, by binary: ExtensionBinary
    ) async throws -> Base {
        do {
            return try await verified(file, announced: announced, by: binary.manifest.identifier)
        } catch let error as HostError where error.code == .extensionFailed {
            pool.quarantine.recordFailure(of: binary, error.message)
            throw error
        }
    }

    private func verified(
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
        } catch let error as HostError where error.isAboutPicture {
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
        try await pool.decoded(file, format)
    }
}

extension Renderer.Base {
    /// The pixels that a job gave; its runner may have been given the profile and have none of its
    /// own to give.
    init(pixels: RenderedOutput, over base: Renderer.Base) throws {
        guard let bytes = pixels.bytes, let layout = pixels.layout else {
            throw HostError(.runnerFailed, "a step gave no pixels")
        }
        self.init(
            bytes: bytes, kind: .raw(layout), profile: pixels.profile ?? base.profile,
            buffer: pixels.buffer)
    }
}

extension HostError {
    /// Whether a picture that was decoded is to blame, and not what became of its runner otherwise.
    var isAboutPicture: Bool {
        switch code {
        case .badInput, .blockedFormat: true
        case .runnerFailed: (underlying as? RunnerDeath).map { $0.cause != .terminated } ?? false
        default: false
        }
    }
}

extension ArraySlice<StatePlan.Step> {
    /// The first steps, as many as one runner may run: all trusted, or all of one extension.
    fileprivate var sharingRunner: ArraySlice {
        guard let first = self.first?.binary else { return self }
        return prefix { step in
            first.isTrusted
                ? step.binary.isTrusted : step.binary.digest == first.digest
        }
    }
}
