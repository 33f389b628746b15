// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

/// A worker that processes the frames of a video in sequence, between the decoder and the encoder.
protocol VideoStage: Sendable {
    /// The memory layout of the output frames.
    var output: UncompressedLayout { get }
    /// Warnings about the output, for the user.
    var warnings: [String] { get }

    /// Opens the stage with the first frame.
    ///
    /// - Returns: The output frame and a spare buffer of the same size, or `nil` if the stage needs another frame.
    func open(
        with frame: VideoRendering.Frame
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)?
    /// Feeds another frame to a stage that has not returned one yet.
    ///
    /// - Parameter frame: The next frame, or `nil` at the end of the video.
    /// - Returns: The same as ``open(with:)``.
    func open(
        feeding frame: VideoRendering.Frame?
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)?
    /// Processes a frame after the first one.
    ///
    /// - Returns: The time of the frame now in the buffer, or `nil` if the stage needs more input.
    func process(
        _ frame: VideoRendering.Frame, into buffer: PixelBuffers.Buffer
    ) async throws -> FrameTime?
    /// Fetches the next frame that the stage has ready.
    ///
    /// - Returns: The time of the frame now in the buffer, or `nil` if the stage needs more input.
    func takeFrame(into buffer: PixelBuffers.Buffer) async throws -> FrameTime?
    /// Notifies the stage of the end of its input.
    func endInput() async throws
    /// Whether the stage may return other frames than it gets.
    var generatesFrames: Bool { get }
    /// Closes the stage after the last frame.
    func close() async throws
    /// Recycles the stage's buffers after a successful render.
    func recycle()
}

extension VideoStage {
    /// Processes all frames but the first, until the end of the input.
    ///
    /// - Throws: `HostError`.
    func process(_ input: FrameQueue, into output: FrameQueue) async throws {
        guard !generatesFrames else { return try await make(input, into: output) }
        var buffers = output.free.makeAsyncIterator()
        for await frame in input.frames {
            guard let buffer = await buffers.next() else { break }
            guard let time = try await process(frame, into: buffer) else { break }
            input.recycle(frame)
            output.add(.init(buffer: buffer, layout: self.output, time: time))
        }
        output.end()
    }

    private func make(_ input: FrameQueue, into output: FrameQueue) async throws {
        var buffers = output.free.makeAsyncIterator()
        guard var buffer = await buffers.next() else { return }
        /// Outputs all frames that the step has ready. Returns `false` if the reader has ended.
        func pass(_ first: FrameTime?) async throws -> Bool {
            var time = first
            while let given = time {
                output.add(.init(buffer: buffer, layout: self.output, time: given))
                guard let next = await buffers.next() else { return false }
                buffer = next
                time = try await takeFrame(into: buffer)
            }
            return true
        }
        // Frames that were generated from the input of the first one.
        guard try await pass(try await takeFrame(into: buffer)) else { return }
        // The step may read a frame until it gets the next one.
        var last: FrameQueue.Frame?
        for await frame in input.frames {
            let given = try await process(frame, into: buffer)
            if let last { input.recycle(last) } else { input.recycleHeld() }
            last = frame
            guard try await pass(given) else { return }
        }
        try Task.checkCancellation()
        try await endInput()
        guard try await pass(try await takeFrame(into: buffer)) else { return }
        output.end()
    }
}
