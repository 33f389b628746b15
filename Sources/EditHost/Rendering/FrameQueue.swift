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

    /// - Parameter buffers: What the frames are written into; all may be written.
    init(_ buffers: [PixelBuffers.Buffer]) {
        (free, freeing) = AsyncStream.makeStream()
        (frames, writing) = AsyncStream.makeStream()
        for buffer in buffers { freeing.yield(buffer) }
    }

    /// Passes a frame on.
    func add(_ frame: Frame) { writing.yield(frame) }

    /// Says that no more frames come.
    func end() { writing.finish() }

    /// Gives the buffer of a frame that was read back to the writer.
    func giveBack(_ frame: Frame) { freeing.yield(frame.buffer) }
}
