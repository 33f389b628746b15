// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol

extension Renderer {
    /// Runs the steps of an untrusted extension over an encoded picture, streamed from the decoder.
    ///
    /// One runner decodes, and encodes if the output needs it; another runs the extension. If the picture is too
    /// large to stream, only the decoded pixels are returned.
    ///
    /// - Throws: `HostError`, naming the extension if it caused the failure.
    func runUntrusted<Wanted: RequestedOutput>(
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
                try await UntrustedPipeline(
                    renderer: self, plan: plan, steps: steps, digest: binary.digest, base: base,
                    codec: codec, runner: runner, output: output
                ).run(over: layout, profile)
            }
        }
    }

    /// Runs the steps of an untrusted extension over raw pixels and streams the result to an encoder.
    func runUntrusted<Wanted: RequestedOutput>(
        _ steps: ArraySlice<StatePlan.Step>, _ binary: ExtensionBinary, overPixels base: Base,
        of plan: StatePlan, _ output: Wanted
    ) async throws -> Outcome<Wanted.Picture> {
        let job = try job(steps, over: base, of: plan, needsOriginal: true)
        return try await pool.withRunner(loading: [binary], isSecond: isForSession) { runner in
            switch try await runner.askForPixels(job.request(.raw), job.descriptors) {
            case .outputNeeded(let layout):
                return try await pool.withRunner(isSecond: true) { codec in
                    let encoding = UntrustedEncoding(
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
    /// Renders the finished edit of an untrusted extension, streaming its pixels to the encoder.
    ///
    /// - Parameter base: The base of the edit.
    /// - Throws: `HostError`.
    func render<Wanted: RequestedOutput>(
        _ output: Wanted, by renderer: Renderer, of plan: StatePlan, over base: Renderer.Base
    ) async throws -> Wanted.Picture {
        try await blamingInput {
            try await renderer.pool.withRunner(isSecond: renderer.isForSession) { codec in
                // Must precede the request to encode.
                await input?.render(for: runner.process, with: codec)
                let picture = await Result {
                    try await encoded(output, with: codec, by: renderer, of: plan, over: base)
                }
                await input?.rendered()
                return try picture.get()
            }
        }
    }

    private func encoded<Wanted: RequestedOutput>(
        _ output: Wanted, with codec: Runner, by renderer: Renderer, of plan: StatePlan,
        over base: Renderer.Base
    ) async throws -> Wanted.Picture {
        let reply = try await runner.askForPixels(.render(.raw), [])
        guard case .outputNeeded(let layout) = reply else { throw runner.unexpected(reply) }
        return try await UntrustedEncoding(
            renderer: renderer, plan: plan, digest: digest, codec: codec, runner: runner,
            output: output
        ).take(layout, .render(.raw), over: base)
    }
}

/// An untrusted extension between a decoder and an encoder. All three run concurrently: each reads the finished rows
/// while the next ones are written.
///
/// The decoder waits for no other process, the extension waits for the decoder, and the encoder waits for the
/// extension. So the time limit of each starts when the one before it ends, and the first one to fail is to blame.
private struct UntrustedPipeline<Wanted: RequestedOutput>: Sendable {
    let renderer: Renderer
    let plan: StatePlan
    let steps: ArraySlice<StatePlan.Step>
    /// The digest of the untrusted extension.
    let digest: SHA256Digest
    /// The encoded picture.
    let base: Renderer.Base
    /// The runner that decodes and encodes.
    let codec: Runner
    /// The runner of the untrusted extension.
    let runner: Runner
    let output: Wanted

    private typealias Outcome = Renderer.Outcome<Wanted.Picture>
    private var buffers: PixelBuffers { renderer.pool.buffers }
    private var encoding: UntrustedEncoding<Wanted> {
        UntrustedEncoding(
            renderer: renderer, plan: plan, digest: digest, codec: codec, runner: runner,
            output: output)
    }

    /// - Parameters:
    ///   - layout: The announced memory layout of the decoded pixels.
    ///   - profile: The original's profile, if the pixels are in it.
    func run(
        over layout: RawLayout, _ profile: OpenFile?
    ) async throws -> Renderer.Outcome<Wanted.Picture> {
        let input = try StreamedBuffer(of: layout, .input(digest), buffers)
        runner.process.beginWaiting()
        let (sent, isSent) = AsyncStream<Never>.makeStream()
        async let decoded = decode(into: input, isSent)
        // The codec runner must receive this request before it is asked to encode.
        for await _ in sent {}
        let computed = await Result { try await compute(over: input, profile) }
        // The runner cannot be returned to the pool before its request ends.
        try await decoded.get()
        let outcome = try computed.get()
        buffers.giveBack(input.buffer)
        return outcome
    }

    private func decode(
        into input: StreamedBuffer, _ isSent: AsyncStream<Never>.Continuation
    ) async -> Result<Void, any Error> {
        let result = await Result { try await codec.writePixels(input) { isSent.finish() } }
        isSent.finish()
        switch result {
        case .success: runner.process.endWaiting()
        // The extension cannot finish without its input, and is not to blame.
        case .failure: runner.process.terminate()
        }
        return result
    }

    private func compute(over input: StreamedBuffer, _ profile: OpenFile?) async throws -> Outcome {
        let pixels = RawPixelsOutput.Picture(
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

/// Encodes the pixels of an untrusted extension while they are computed.
private struct UntrustedEncoding<Wanted: RequestedOutput>: Sendable {
    let renderer: Renderer
    let plan: StatePlan
    /// The digest of the untrusted extension.
    let digest: SHA256Digest
    /// The runner that encodes.
    let codec: Runner
    /// The runner of the untrusted extension.
    let runner: Runner
    let output: Wanted

    private var buffers: PixelBuffers { renderer.pool.buffers }

    /// Receives and encodes the pixels that the extension's runner has announced.
    ///
    /// - Parameters:
    ///   - layout: The announced memory layout.
    ///   - request: The request that the runner replied to.
    ///   - base: The base of the extension's pixels.
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
        let streamedBuffer = try StreamedBuffer(of: layout, .output(digest), buffers)
        let picture = RawPixelsOutput.Picture(
            buffer: streamedBuffer.buffer, layout: layout, profile: nil, fullSize: nil)
        let pixels = Renderer.Base(pixels: picture, over: base)
        var request = try job(pixels)
        request.descriptors += streamedBuffer.takeReadingEnd()
        let streaming = request
        codec.process.beginWaiting()
        async let written = write(streamedBuffer)
        let encoded = await Result { try await encode(streaming) }
        try await written.get()
        defer { buffers.giveBack(streamedBuffer.buffer) }
        do {
            return try encoded.get()
        } catch let error as HostError where error.code == .badInput {
            // The extension's row counts are untrusted. The pixels are complete now, so encoding is retried once.
            return try await encode(try job(pixels))
        }
    }

    private func write(_ streamedBuffer: StreamedBuffer) async -> Result<Void, any Error> {
        let result = await Result {
            try await runner.writePixels(streamedBuffer)
            guard try streamedBuffer.buffer.isFilled(streamedBuffer.layout.byteCount) else {
                throw runner.violation("size mismatch: not as many pixels as announced")
            }
            runner.recordSuccess()
        }
        if !streamedBuffer.end(isComplete: (try? result.get()) != nil) {
            runner.process.terminate()
        }
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
    /// Requests raw pixels and returns their announced layout, with the original's profile if they are in it.
    ///
    /// - Parameter longerSide: The side of the square to fit them into, in pixels; `nil` keeps the full size.
    /// - Throws: `HostError`.
    func announcedPixels(
        _ job: Renderer.Job, longerSide: Int? = nil
    ) async throws -> (layout: RawLayout, profile: OpenFile?) {
        let profile = try OpenFile.runnerMemory("profile")
        let reply = try await askForPixels(
            job.request(RawPixelsOutput.request(longerSide)),
            job.descriptors + [(.writtenProfile, profile)])
        guard case .outputNeeded(let layout) = reply else { throw unexpected(reply) }
        try accept(layout)
        return (layout, try copy(ofProfile: profile))
    }

    /// Requests the announced pixels, written into memory that another runner reads concurrently.
    ///
    /// - Throws: `HostError`.
    func writePixels(
        _ streamedBuffer: StreamedBuffer, sent: (@Sendable () -> Void)? = nil
    ) async throws {
        let reply = try await ask(
            .takeOutput, streamedBuffer.forWriter, deadline: deadlines.render, isFullSize: true,
            sent: sent)
        guard case .rendered = reply else { throw unexpected(reply) }
    }
}

extension Result where Failure == any Error {
    /// Captures the outcome of an asynchronous body.
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
