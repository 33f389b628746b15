// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// Runs steps over a picture, with as few runners as possible: trusted extensions share one.
extension Renderer {
    /// Runs steps over a base. If a runner shared by several extensions dies, the steps are rerun one by one. The error
    /// then names the faulty extension and not its neighbours.
    ///
    /// - Throws: `HostError`, naming the extension that failed.
    func run<Wanted: RequestedOutput>(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: Wanted
    ) async throws -> Wanted.Picture {
        do {
            return try await runTogether(steps, over: base, of: plan, output)
        } catch let error as HostError {
            try await requireSoundness(of: base, after: error, steps.map(\.binary))
            guard error.underlying is RunnerDeath, error.extensionIdentifier == nil,
                !Task.isCancelled, StatePlan.unique(steps.map(\.binary)).count > 1
            else { throw error }
            return try await runOneByOne(steps, over: base, of: plan, output)
        }
    }

    /// Runs the steps in as few jobs as possible: consecutive trusted steps share a pipeline, and any other extension
    /// has its own job and runner.
    private func runTogether<Wanted: RequestedOutput>(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: Wanted
    ) async throws -> Wanted.Picture {
        var (rest, base) = (steps[...], try await still(of: base))
        while true {
            let next = rest.sharingRunner
            let untrusted = next.first.flatMap { $0.binary.isTrusted ? nil : $0.binary }
            let isLast = next.count == rest.count
            let outcome: Outcome<Wanted.Picture>
            if isLast {
                outcome = try await part(
                    next, untrusted, over: base, of: plan,
                    untrusted.map { output.written(by: $0.digest) } ?? output)
            } else {
                let reader = rest.dropFirst(next.count).first?.binary
                let pixels = UncompressedPixelsOutput(use: Self.use(from: untrusted, to: reader))
                outcome = try await part(next, untrusted, over: base, of: plan, pixels)
                    .asBase(over: base)
            }
            if let buffer = base.buffer { pool.buffers.recycle(buffer) }
            switch outcome {
            case .picture(let picture): return picture
            case .decoded(let pixels): base = pixels
            case .base(let pixels):
                base = pixels
                rest = rest.dropFirst(next.count)
            case .file(let index, let file, let description):
                let author = next[next.startIndex + index].binary
                base = try await verified(file, description, by: author)
                rest = rest.dropFirst(index + 1)
            }
        }
    }

    /// Returns the use of the memory that passes pixels from one runner to the next.
    ///
    /// - Parameters:
    ///   - author: The untrusted extension that writes the pixels; `nil` for trusted ones.
    ///   - reader: The extension that reads them first; `nil` for the encoder.
    private static func use(
        from author: ExtensionBinary?, to reader: ExtensionBinary?
    ) -> PixelBuffers.Use? {
        let reader = reader.flatMap { $0.isTrusted ? nil : $0 }
        guard let author else { return reader.map { .input($0.digest) } }
        return reader.map { .between(author.digest, $0.digest) } ?? .output(author.digest)
    }

    /// Runs steps and returns the pixels as the base of further ones.
    func pixels(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan,
        _ output: UncompressedPixelsOutput = UncompressedPixelsOutput()
    ) async throws -> Base {
        Base(pixels: try await run(steps, over: base, of: plan, output), over: base)
    }

    /// The result of one job of several.
    enum Outcome<Picture: Sendable>: Sendable {
        /// The requested output of all steps.
        case picture(Picture)
        /// The base of the remaining steps.
        case base(Base)
        /// The decoded pixels of the job's own base, which are too many to be streamed.
        case decoded(Base)
        /// A file written by the step of this index.
        case file(index: Int, OpenFile, WrittenFile)
    }

    /// Runs steps that may share a runner.
    ///
    /// - Parameter untrusted: The extension of the steps, if it is untrusted.
    private func part<Wanted: RequestedOutput>(
        _ steps: ArraySlice<StatePlan.Step>, _ untrusted: ExtensionBinary?, over base: Base,
        of plan: StatePlan, _ output: Wanted
    ) async throws -> Outcome<Wanted.Picture> {
        if let untrusted, base.isEncoded {
            return try await runUntrusted(steps, untrusted, over: base, of: plan, output)
        }
        if let untrusted, !output.isRaw {
            return try await runUntrusted(steps, untrusted, overPixels: base, of: plan, output)
        }
        return try await job(steps, over: base, of: plan, output)
    }

    private func job<Wanted: RequestedOutput>(
        _ steps: ArraySlice<StatePlan.Step>, over base: Base, of plan: StatePlan, _ output: Wanted
    ) async throws -> Outcome<Wanted.Picture> {
        let job = try job(steps, over: base, of: plan, needsOriginal: output.needsOriginal)
        let binaries = StatePlan.unique(steps.map(\.binary))
        return try await pool.withRunner(loading: binaries, isSecond: isForSession) { runner in
            let result = try await output.take(from: runner, job.request, job.descriptors)
            switch result {
            case .picture(let picture):
                return .picture(output.addingProfile(base.profile, picture))
            case .fileWritten(let index, let file):
                return try await written(file, by: index, of: steps, in: runner)
            }
        }
    }

    /// Receives the file that a step wrote.
    func written<Picture>(
        _ file: WrittenFile, by index: Int, of steps: ArraySlice<StatePlan.Step>, in runner: Runner
    ) async throws -> Outcome<Picture> {
        guard index >= 0, index < steps.count else {
            throw runner.unexpected(.fileWritten(step: index, file))
        }
        return .file(index: index, try await runner.takeWrittenFile(), file)
    }

    /// A request that runs steps, with its file descriptors.
    struct Job: Sendable {
        let input: RenderInput
        var descriptors: [(DescriptorRole, OpenFile)]

        /// Returns the request for an output.
        @Sendable func request(_ output: RenderOutput) -> RunnerRequest {
            .run(RenderJob(input: input, output: output))
        }
    }

    /// - Parameter needsOriginal: Whether the output includes the original's metadata or profile.
    func job(
        _ steps: ArraySlice<StatePlan.Step>, over base: Base, of plan: StatePlan,
        needsOriginal: Bool
    ) throws -> Job {
        // Extensions never get the user's keywords.
        var facts = plan.originalFacts
        facts.metadata = facts.metadata?.ofCamera
        var input = RenderInput(
            base: base.kind, steps: steps.map(\.renderStep),
            // Omitted if there are no steps, because no extension reads the facts, and small pictures are requested by
            // the thousand.
            originalFacts: steps.isEmpty ? nil : facts,
            assumedProfile: base.assumedProfile, baseScale: base.reduction?.scale,
            renderedContentType: EncodeSettings.rendition(of: facts).format.contentType)
        input.moment = base.moment
        input.movesPixels = plan.keepsPixelsInPlace ? nil : true
        let binaries = StatePlan.unique(steps.map(\.binary))
        let others =
            needsOriginal || !steps.isEmpty
            ? try otherDescriptors(of: base, for: binaries, plan) : []
        let files = try PackedParameterFiles(steps.flatMap(\.files), source)
        if files.memory != nil { input.files = files.ranges }
        let descriptors =
            try [binaries.isEmpty ? (.base, base.bytes) : base.lent()] + others
            + files.descriptors + lendOriginal(to: binaries, of: plan, in: &input)
        return Job(input: input, descriptors: descriptors)
    }

    /// Returns the descriptors to send beside the base. Untrusted extensions do not get the original itself.
    private func otherDescriptors(
        of base: Base, for binaries: [ExtensionBinary], _ plan: StatePlan
    ) throws -> [(DescriptorRole, OpenFile)] {
        if binaries.allSatisfy(\.isTrusted), plan.originalFacts.video == nil {
            return [(.metadataSource, try metadataSource(of: plan, base))]
        }
        return base.profile.map { [(.profile, $0)] } ?? []
    }

    private func runOneByOne<Wanted: RequestedOutput>(
        _ steps: [StatePlan.Step], over base: Base, of plan: StatePlan, _ output: Wanted
    ) async throws -> Wanted.Picture {
        var base = base
        for step in steps {
            let pixels = try await runTogether(
                [step], over: base, of: plan, UncompressedPixelsOutput())
            base = Base(pixels: pixels, over: base)
        }
        return try await runTogether([], over: base, of: plan, output)
    }
}

extension Renderer.Outcome where Picture == UncompressedPixels {
    /// Returns the outcome with its pixels as the base of further steps.
    fileprivate func asBase<Other>(over base: Renderer.Base) -> Renderer.Outcome<Other> {
        switch self {
        case .picture(let pixels): .base(Renderer.Base(pixels: pixels, over: base))
        case .base(let base): .base(base)
        case .decoded(let base): .decoded(base)
        case .file(let index, let file, let description): .file(index: index, file, description)
        }
    }
}

extension ArraySlice<StatePlan.Step> {
    /// The longest prefix that one runner may run: all trusted, or all of one extension.
    var sharingRunner: ArraySlice {
        guard let first = self.first?.binary else { return self }
        return prefix { step in
            first.isTrusted
                ? step.binary.isTrusted : step.binary.digest == first.digest
        }
    }
}
