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
    /// - Returns: what became of it, and another buffer of the size; nil: it needs another frame before it gives any.
    func open(
        with frame: VideoRendering.Frame
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)?
    /// Gets another frame, having given none so far.
    ///
    /// - Parameter frame: nil: there are no more.
    /// - Returns: as ``open(with:)``.
    func open(
        furtherWith frame: VideoRendering.Frame?
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)?
    /// Works on one of the others.
    ///
    /// - Returns: when the frame is shown that is in the buffer now; nil: it needs another one first.
    func process(
        _ frame: VideoRendering.Frame, into buffer: PixelBuffers.Buffer
    ) async throws -> FrameTime?
    /// Another frame that it has by now.
    ///
    /// - Returns: when the frame is shown that is in the buffer now; nil: it needs another one first.
    func further(into buffer: PixelBuffers.Buffer) async throws -> FrameTime?
    /// Learns that there are no more.
    func endInput() async throws
    /// Whether it may give other frames than it gets.
    var makesFrames: Bool { get }
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
        guard !makesFrames else { return try await make(input, into: output) }
        var buffers = output.free.makeAsyncIterator()
        for await frame in input.frames {
            guard let buffer = await buffers.next() else { break }
            guard let time = try await process(frame, into: buffer) else { break }
            input.giveBack(frame)
            output.add(.init(buffer: buffer, layout: self.output, time: time))
        }
        output.end()
    }

    private func make(_ input: FrameQueue, into output: FrameQueue) async throws {
        var buffers = output.free.makeAsyncIterator()
        guard var buffer = await buffers.next() else { return }
        /// Passes all on that it has. False: nobody wants them.
        func pass(_ first: FrameTime?) async throws -> Bool {
            var time = first
            while let given = time {
                output.add(.init(buffer: buffer, layout: self.output, time: given))
                guard let next = await buffers.next() else { return false }
                buffer = next
                time = try await further(into: buffer)
            }
            return true
        }
        // What came of the frames that were read for the first.
        guard try await pass(try await further(into: buffer)) else { return }
        // The step may look at a frame until it gets the next one.
        var last: FrameQueue.Frame?
        for await frame in input.frames {
            let given = try await process(frame, into: buffer)
            if let last { input.giveBack(last) } else { input.giveBackHeld() }
            last = frame
            guard try await pass(given) else { return }
        }
        try Task.checkCancellation()
        try await endInput()
        guard try await pass(try await further(into: buffer)) else { return }
        output.end()
    }
}

/// A stage that gives one frame for each that it gets.
protocol FrameByFrame: VideoStage {}

extension FrameByFrame {
    var makesFrames: Bool { false }
    func open(
        furtherWith frame: VideoRendering.Frame?
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)? { nil }
    func further(into buffer: PixelBuffers.Buffer) async throws -> FrameTime? { nil }
    func endInput() async throws {}
}
