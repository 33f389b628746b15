// SPDX-License-Identifier: Apache-2.0

import RunnerHost

/// A bounded queue of video frames between two workers, with recycled buffers.
///
/// At most as many frames wait as there are buffers, so memory does not grow with the length of the video. One task
/// writes and one task reads. If either task is cancelled, its wait ends with `nil`.
struct FrameQueue: Sendable {
    typealias Frame = VideoRendering.Frame

    /// The recycled buffers that the writer may fill.
    let free: AsyncStream<PixelBuffers.Buffer>
    /// The frames for the reader, in the order of their times.
    let frames: AsyncStream<Frame>
    private let freeing: AsyncStream<PixelBuffers.Buffer>.Continuation
    private let writing: AsyncStream<Frame>.Continuation
    private let held: PixelBuffers.Buffer?

    /// - Parameters:
    ///   - buffers: The buffers that hold the frames.
    ///   - isHolding: Whether the reader holds the first buffer until ``recycleHeld()``.
    init(_ buffers: [PixelBuffers.Buffer], holdingFirst isHolding: Bool = false) {
        (free, freeing) = AsyncStream.makeStream()
        (frames, writing) = AsyncStream.makeStream()
        held = isHolding ? buffers.first : nil
        for buffer in buffers.dropFirst(isHolding ? 1 : 0) { freeing.yield(buffer) }
    }

    /// Recycles the buffer that the reader has held from the start.
    func recycleHeld() {
        if let held { freeing.yield(held) }
    }

    /// Appends a frame for the reader.
    func add(_ frame: Frame) { writing.yield(frame) }

    /// Finishes the queue: no more frames follow.
    func end() { writing.finish() }

    /// Recycles the buffer of a frame that was read.
    func recycle(_ frame: Frame) { freeing.yield(frame.buffer) }
}
