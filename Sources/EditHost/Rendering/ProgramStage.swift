// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol
import Synchronization

/// A program's own function, called in this process for each frame of a video in sequence.
final class ProgramStage: FrameByFrame {
    /// Processes a frame. `time` is in seconds from the beginning. `scale` is the width of the decoded frames
    /// relative to the picture that the edit is made for.
    typealias Processor =
        @Sendable (_ image: AssetImage, _ time: Double, _ scale: Double) throws -> AssetImage

    private let process: Processor
    private let input: UncompressedLayout
    private let timing: FrameTiming
    private let scale: Double
    private let buffers: PixelBuffers
    private let made = Mutex<UncompressedLayout?>(nil)

    /// - Parameters:
    ///   - input: The memory layout of the input frames.
    ///   - timing: The units of the frame times.
    ///   - scale: The scale passed to the processor.
    init(
        _ process: @escaping Processor, input: UncompressedLayout, timing: FrameTiming,
        scale: Double,
        buffers: PixelBuffers
    ) {
        self.process = process
        self.scale = scale
        self.input = input
        self.timing = timing
        self.buffers = buffers
    }

    var output: UncompressedLayout { made.withLock { $0 } ?? input }
    var warnings: [String] { [] }

    func open(
        with frame: VideoRendering.Frame
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)? {
        let image = try processed(frame)
        guard image.pixelFormat == .rgb8, image.profile == .sRGB else {
            throw Self.refusal("differs from its input in pixel format or profile")
        }
        let layout = UncompressedLayout(
            width: image.width, height: image.height, pixelFormat: .rgb8, profile: .sRGB)
        guard layout.isFrame else {
            throw Self.refusal("is too large for a video")
        }
        made.withLock { $0 = layout }
        let buffer = try buffers.takeFrame(layout.byteCount, for: .frames)
        try image.withUnsafeBytes { try buffer.memory.write($0, at: 0) }
        return (
            VideoRendering.Frame(buffer: buffer, layout: layout, time: frame.time),
            try buffers.takeFrame(layout.byteCount, for: .frames)
        )
    }

    func process(
        _ frame: VideoRendering.Frame, into buffer: PixelBuffers.Buffer
    ) async throws -> FrameTime? {
        let image = try processed(frame)
        let layout = output
        guard image.size == PixelSize(width: layout.width, height: layout.height),
            image.pixelFormat == layout.pixelFormat, image.profile == layout.profile
        else { throw Self.refusal("differs from the first frame") }
        try image.withUnsafeBytes { try buffer.memory.write($0, at: 0) }
        return frame.time
    }

    private func processed(_ frame: VideoRendering.Frame) throws -> AssetImage {
        // The pixels are copied, because the program may keep the image.
        let pixels = try frame.buffer.memory.read(count: input.byteCount)
        guard pixels.count == input.byteCount else {
            throw HostError(.runnerFailed, "a frame does not have the announced length")
        }
        return try process(
            AssetImage(pixels, input, originalProfile: nil), timing.seconds(frame.time.timestamp),
            scale)
    }

    private static func refusal(_ reason: String) -> HostError {
        HostError(.invalidRenderedContent, "a frame returned by the frame processor \(reason)")
    }

    func close() async throws {}
    func recycle() {}
}
