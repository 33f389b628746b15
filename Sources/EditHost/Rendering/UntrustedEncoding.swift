// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

/// Encodes the pixels of an untrusted extension while they are computed.
struct UntrustedEncoding<Wanted: RequestedOutput>: Sendable {
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
        _ layout: UncompressedLayout, _ request: RunnerRequest, over base: Renderer.Base
    ) async throws -> Wanted.Picture {
        try runner.accept(layout)
        guard PixelBuffers.canShare(layout.byteCount) else {
            let picture = try await runner.takePixels(of: layout, nil, for: request)
            runner.recordSuccess()
            let pixels = Renderer.Base(pixels: picture, over: base)
            return try await encode(try job(pixels))
        }
        let streamedBuffer = try StreamedBuffer(of: layout, .output(digest), buffers)
        let picture = UncompressedPixels(
            buffer: streamedBuffer.buffer, layout: layout, profile: nil, fullSize: nil)
        let pixels = Renderer.Base(pixels: picture, over: base)
        var request = try job(pixels)
        request.descriptors += streamedBuffer.takeReadingEnd()
        let streaming = request
        codec.process.beginWaiting()
        async let written = write(streamedBuffer)
        let encoded = await Result.capturing { try await encode(streaming) }
        try await written.get()
        defer { buffers.recycle(streamedBuffer.buffer) }
        do {
            return try encoded.get()
        } catch let error as HostError where error.code == .badInput {
            // The extension's row counts are untrusted. The pixels are complete now, so encoding is retried once.
            return try await encode(try job(pixels))
        }
    }

    private func write(_ streamedBuffer: StreamedBuffer) async -> Result<Void, any Error> {
        let result = await Result.capturing {
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
