// SPDX-License-Identifier: Apache-2.0

/// Frames between one worker of a video and the next, in buffers that are used again: as many frames wait as
/// there are buffers, so that memory does not grow with the length of the video.
///
/// One task writes, one reads. Where the task of either is cancelled, waiting ends with nil.
struct FrameQueue: Sendable {
    typealias Frame = VideoRendering.Frame

    /// The buffers that may be written.
    let free: AsyncStream<PixelBuffers.Buffer>
    /// The frames that may be read, in the order of time.
    let frames: AsyncStream<Frame>
    private let freeing: AsyncStream<PixelBuffers.Buffer>.Continuation
    private let writing: AsyncStream<Frame>.Continuation
    private let held: PixelBuffers.Buffer?

    /// - Parameters:
    ///   - buffers: What the frames are written into.
    ///   - isHolding: whether the reader still has the first of them, until ``giveBackHeld()``.
    init(_ buffers: [PixelBuffers.Buffer], holdingFirst isHolding: Bool = false) {
        (free, freeing) = AsyncStream.makeStream()
        (frames, writing) = AsyncStream.makeStream()
        held = isHolding ? buffers.first : nil
        for buffer in buffers.dropFirst(isHolding ? 1 : 0) { freeing.yield(buffer) }
    }

    /// Gives the buffer back that the reader has had from the beginning.
    func giveBackHeld() {
        if let held { freeing.yield(held) }
    }

    /// Passes a frame on.
    func add(_ frame: Frame) { writing.yield(frame) }

    /// Says that no more frames come.
    func end() { writing.finish() }

    /// Gives the buffer of a frame that was read back to the writer.
    func giveBack(_ frame: Frame) { freeing.yield(frame.buffer) }
}
