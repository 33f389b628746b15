// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerHost
import RunnerProtocol

/// Runs an untrusted extension between a decoder and an encoder. All three run concurrently: each reads the finished
/// rows while the next ones are written.
///
/// The decoder waits for no other process, the extension waits for the decoder, and the encoder waits for the
/// extension. The time limit of each therefore starts when the one before it ends, and the first one to fail is to
/// blame.
struct UntrustedPipeline<Wanted: RequestedOutput>: Sendable {
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
        over layout: UncompressedLayout, _ profile: OpenFile?
    ) async throws -> Renderer.Outcome<Wanted.Picture> {
        let input = try StreamedBuffer(of: layout, .input(digest), buffers)
        runner.process.beginWaiting()
        let (sent, isSent) = AsyncStream<Never>.makeStream()
        async let decoded = decode(into: input, isSent)
        // The codec runner must receive this request before the request to encode.
        for await _ in sent {}
        let computed = await Result.capturing { try await compute(over: input, profile) }
        // The runner cannot be returned to the pool before its request ends.
        try await decoded.get()
        let outcome = try computed.get()
        buffers.recycle(input.buffer)
        return outcome
    }

    private func decode(
        into input: StreamedBuffer, _ isSent: AsyncStream<Never>.Continuation
    ) async -> Result<Void, any Error> {
        let result = await Result.capturing {
            try await codec.writePixels(input) { isSent.finish() }
        }
        isSent.finish()
        switch result {
        case .success: runner.process.endWaiting()
        // The extension cannot finish without its input, and is not to blame.
        case .failure: runner.process.terminate()
        }
        return result
    }

    private func compute(over input: StreamedBuffer, _ profile: OpenFile?) async throws -> Outcome {
        let pixels = UncompressedPixels(
            buffer: input.buffer, layout: input.layout, profile: profile, fullSize: nil)
        let base = Renderer.Base(pixels: pixels, over: base)
        var job = try renderer.job(steps, over: base, of: plan, needsOriginal: true)
        job.descriptors += input.takeReadingEnd()
        guard !output.isRaw else {
            switch try await output.take(from: runner, job.request, job.descriptors) {
            case .picture(let picture): return .picture(output.addingProfile(profile, picture))
            case .fileWritten(let index, let file):
                return try await renderer.written(file, by: index, of: steps, in: runner)
            }
        }
        switch try await runner.requestPixels(job.request(.raw), job.descriptors) {
        case .outputNeeded(let layout):
            return .picture(try await encoding.take(layout, job.request(.raw), over: base))
        case .fileWritten(let index, let file):
            return try await renderer.written(file, by: index, of: steps, in: runner)
        case let reply: throw runner.unexpected(reply)
        }
    }
}
