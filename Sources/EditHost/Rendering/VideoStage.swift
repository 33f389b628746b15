// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// Somebody who works on one frame of a video after the other, between the decoder and the encoder.
protocol VideoStage: Sendable {
    /// How the frames lie in memory that it gives.
    var output: RawLayout { get }
    /// What the user should know of its output.
    var warnings: [String] { get }

    /// Begins with the first frame.
    ///
    /// - Returns: what became of it, and another buffer of the size.
    func open(
        with frame: VideoRendering.Frame
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)
    /// Works on one of the others.
    func process(
        _ frame: VideoRendering.Frame, into buffer: PixelBuffers.Buffer
    ) async throws
    /// Ends after the last frame.
    func close() async throws
    /// Gives back what it holds, after all went well.
    func giveBack()
}

extension VideoStage {
    /// Works on all frames but the first, until no more come.
    ///
    /// - Throws: `HostError`.
    func process(_ input: FrameQueue, into output: FrameQueue) async throws {
        var buffers = output.free.makeAsyncIterator()
        for await frame in input.frames {
            guard let buffer = await buffers.next() else { break }
            try await process(frame, into: buffer)
            input.giveBack(frame)
            output.add(.init(buffer: buffer, layout: self.output, time: frame.time))
        }
        output.end()
    }
}
