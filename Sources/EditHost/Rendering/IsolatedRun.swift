// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

extension Renderer {
    /// Runs steps of an untrusted extension over an encoded picture, with one runner that decodes, and encodes where that is
    /// wanted, and one for the extension. Of a picture that is too large for that it gives the decoder's pixels alone.
    ///
    /// - Throws: `HostError`, naming the extension where it is to blame.
    func runIsolated<Wanted: Output>(
        _ steps: ArraySlice<StatePlan.Step>, _ binary: ExtensionBinary, over base: Base,
        of plan: StatePlan, _ output: Wanted
    ) async throws -> Outcome<Wanted.Picture> {
        let decoding = try job([], over: base, of: plan, needsOriginal: true)
        return try await pool.withRunner(isSecond: isForSession) { codec in
            let (layout, profile) = try await codec.announcedPixels(decoding)
            guard PixelBuffers.canShare(layout.byteCount) else {
                let picture = try await codec.takePixels(
                    of: layout, .input(binary.digest), for: decoding.request(.raw))
                return .decoded(Base(pixels: picture, over: base))
            }
            return try await pool.withRunner(loading: [binary], isSecond: true) { runner in
                try await IsolatedRun(
                    renderer: self, plan: plan, steps: steps, digest: binary.digest, base: base,
                    codec: codec, runner: runner, output: output
                ).run(over: layout, profile)
            }
        }
    }

    /// The same over pixels.
    func runIsolated<Wanted: Output>(
        _ steps: ArraySlice<StatePlan.Step>, _ binary: ExtensionBinary, overPixels base: Base,
        of plan: StatePlan, _ output: Wanted
    ) async throws -> Outcome<Wanted.Picture> {
        let job = try job(steps, over: base, of: plan, needsOriginal: true)
        return try await pool.withRunner(loading: [binary], isSecond: isForSession) { runner in
            switch try await runner.askForPixels(job.request(.raw), job.descriptors) {
            case .outputNeeded(let layout):
                return try await pool.withRunner(isSecond: true) { codec in
                    let encoding = IsolatedEncoding(
                        renderer: self, plan: plan, digest: binary.digest, codec: codec,
                        runner: runner, output: output)
                    return .picture(
                        try await encoding.take(layout, job.request(.raw), over: base))
                }
            case .fileWritten(let index, let file):
                return try await written(file, by: index, of: steps, in: runner)
            case let reply: throw runner.unexpected(reply)
            }
        }
    }
}

extension ControllerSession {
    /// Pulls the pixels of the finished edit of an untrusted extension while they are encoded.
    ///
    /// - Parameter base: what they are made of.
    /// - Throws: `HostError`.
    func render<Wanted: Output>(
        _ output: Wanted, by renderer: Renderer, of plan: StatePlan, over base: Renderer.Base
    ) async throws -> Wanted.Picture {
        try await blamingInput {
            try await renderer.pool.withRunner(isSecond: renderer.isForSession) { codec in
                // Before the runner is asked to encode.
                await input?.draw(for: runner.process, with: codec)
                let picture = await Result {
                    try await encoded(output, with: codec, by: renderer, of: plan, over: base)
                }
                await input?.drawn()
                return try picture.get()
            }
        }
    }

    private func encoded<Wanted: Output>(
        _ output: Wanted, with codec: Runner, by renderer: Renderer, of plan: StatePlan,
        over base: Renderer.Base
    ) async throws -> Wanted.Picture {
        let reply = try await runner.askForPixels(.render(.raw), [])
        guard case .outputNeeded(let layout) = reply else { throw runner.unexpected(reply) }
        return try await IsolatedEncoding(
            renderer: renderer, plan: plan, digest: digest, codec: codec, runner: runner,
            output: output
        ).take(layout, .render(.raw), over: base)
    }
}

/// An untrusted extension between decoder and encoder, all three at work at once: each reads the rows that are there
/// while the next ones are made.
///
/// The decoder waits for nobody, the extension for the decoder, the encoder for the extension. So the time of each
/// counts from when the one before it has ended, and the first of them to fail is the one to blame.
private struct IsolatedRun<Wanted: Output>: Sendable {
    let renderer: Renderer
    let plan: StatePlan
    let steps: ArraySlice<StatePlan.Step>
    /// The extension's.
    let digest: SHA256Digest
    /// What is decoded.
    let base: Renderer.Base
    /// Decodes and encodes.
    let codec: Runner
    /// The extension's.
    let runner: Runner
    let output: Wanted

    private typealias Outcome = Renderer.Outcome<Wanted.Picture>
    private var buffers: PixelBuffers { renderer.pool.buffers }
    private var encoding: IsolatedEncoding<Wanted> {
        IsolatedEncoding(
            renderer: renderer, plan: plan, digest: digest, codec: codec, runner: runner,
            output: output)
    }

    /// - Parameters:
    ///   - layout: how the decoded pixels will lie.
    ///   - profile: the original's, where they are in that.
    func run(
        over layout: RawLayout, _ profile: OpenFile?
    ) async throws -> Renderer.Outcome<Wanted.Picture> {
        let input = try PixelHandOver(of: layout, .input(digest), buffers)
        runner.process.beginWaiting()
        let (sent, isSent) = AsyncStream<Never>.makeStream()
        async let decoded = decode(into: input, isSent)
        // The decoder must have it before it is asked to encode.
        for await _ in sent {}
        let computed = await Result { try await compute(over: input, profile) }
        // Without its end the runner cannot be given back.
        try await decoded.get()
        let outcome = try computed.get()
        buffers.giveBack(input.buffer)
        return outcome
    }

    private func decode(
        into input: PixelHandOver, _ isSent: AsyncStream<Never>.Continuation
    ) async -> Result<Void, any Error> {
        let result = await Result { try await codec.writePixels(input) { isSent.finish() } }
        isSent.finish()
        switch result {
        case .success: runner.process.endWaiting()
        // It is not to blame for pixels that are not there.
        case .failure: runner.process.terminate()
        }
        return result
    }

    private func compute(over input: PixelHandOver, _ profile: OpenFile?) async throws -> Outcome {
        let pixels = RawOutput.Picture(
            buffer: input.buffer, layout: input.layout, profile: profile, fullSize: nil)
        let base = Renderer.Base(pixels: pixels, over: base)
        var job = try renderer.job(steps, over: base, of: plan, needsOriginal: true)
        job.descriptors += input.takeReadingEnd()
        guard !output.isRaw else {
            switch try await output.take(from: runner, job.request, job.descriptors) {
            case .picture(let picture): return .picture(output.having(profile, picture))
            case .fileWritten(let index, let file):
                return try await renderer.written(file, by: index, of: steps, in: runner)
            }
        }
        switch try await runner.askForPixels(job.request(.raw), job.descriptors) {
        case .outputNeeded(let layout):
            return .picture(try await encoding.take(layout, job.request(.raw), over: base))
        case .fileWritten(let index, let file):
            return try await renderer.written(file, by: index, of: steps, in: runner)
        case let reply: throw runner.unexpected(reply)
        }
    }
}

/// What an untrusted extension gives, encoded while it is computed.
private struct IsolatedEncoding<Wanted: Output>: Sendable {
    let renderer: Renderer
    let plan: StatePlan
    /// The extension's.
    let digest: SHA256Digest
    /// Encodes.
    let codec: Runner
    /// The extension's.
    let runner: Runner
    let output: Wanted

    private var buffers: PixelBuffers { renderer.pool.buffers }

    /// Takes and encodes the pixels that the extension's runner has announced.
    ///
    /// - Parameters:
    ///   - layout: how they will lie.
    ///   - request: what they answer.
    ///   - base: what they are made of.
    func take(
        _ layout: RawLayout, _ request: RunnerRequest, over base: Renderer.Base
    ) async throws -> Wanted.Picture {
        try runner.accept(layout)
        guard PixelBuffers.canShare(layout.byteCount) else {
            let picture = try await runner.takePixels(of: layout, nil, for: request)
            runner.recordSuccess()
            let pixels = Renderer.Base(pixels: picture, over: base)
            return try await encode(try job(pixels))
        }
        let handOver = try PixelHandOver(of: layout, .output(digest), buffers)
        let picture = RawOutput.Picture(
            buffer: handOver.buffer, layout: layout, profile: nil, fullSize: nil)
        let pixels = Renderer.Base(pixels: picture, over: base)
        var arriving = try job(pixels)
        arriving.descriptors += handOver.takeReadingEnd()
        let early = arriving
        codec.process.beginWaiting()
        async let written = write(handOver)
        let encoded = await Result { try await encode(early) }
        try await written.get()
        defer { buffers.giveBack(handOver.buffer) }
        do {
            return try encoded.get()
        } catch let error as HostError where error.code == .badInput {
            // What the extension says of its rows is no proof; now they are there.
            return try await encode(try job(pixels))
        }
    }

    private func write(_ handOver: PixelHandOver) async -> Result<Void, any Error> {
        let result = await Result {
            try await runner.writePixels(handOver)
            guard try handOver.buffer.isFilled(handOver.layout.byteCount) else {
                throw runner.violation("size mismatch: not as many pixels as announced")
            }
            runner.recordSuccess()
        }
        if !handOver.end(isComplete: (try? result.get()) != nil) { runner.process.terminate() }
        codec.process.endWaiting()
        return result
    }

    private func job(_ pixels: Renderer.Base) throws -> Renderer.Job {
        try renderer.job([], over: pixels, of: plan, needsOriginal: output.needsOriginal)
    }

    private func encode(_ job: Renderer.Job) async throws -> Wanted.Picture {
        switch try await output.take(from: codec, job.request, job.descriptors) {
        case .picture(let picture): return picture
        case .fileWritten(let index, let file):
            throw codec.unexpected(.fileWritten(step: index, file))
        }
    }
}

extension Runner {
    /// Asks for raw pixels, and gives how they will lie, and the original's profile where they are in that.
    ///
    /// - Parameter longerSide: the square that they are fitted into; nil: they stay as many as they are.
    /// - Throws: `HostError`.
    func announcedPixels(
        _ job: Renderer.Job, longerSide: Int? = nil
    ) async throws -> (layout: RawLayout, profile: OpenFile?) {
        let profile = try OpenFile.lentMemory("profile")
        let reply = try await askForPixels(
            job.request(RawOutput.request(longerSide)),
            job.descriptors + [(.writtenProfile, profile)])
        guard case .outputNeeded(let layout) = reply else { throw unexpected(reply) }
        try accept(layout)
        return (layout, try copy(ofProfile: profile))
    }

    /// Has the pixels written that were announced, while another runner reads them.
    ///
    /// - Throws: `HostError`.
    func writePixels(
        _ handOver: PixelHandOver, sent: (@Sendable () -> Void)? = nil
    ) async throws {
        let reply = try await ask(
            .takeOutput, handOver.forWriter, deadline: deadlines.render, isFullSize: true,
            sent: sent)
        guard case .rendered = reply else { throw unexpected(reply) }
    }
}

extension Result where Failure == any Error {
    /// What comes of the body.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
