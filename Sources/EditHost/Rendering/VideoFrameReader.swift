// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// Requests frames from a media runner, in sequence.
struct VideoFrameReader: Sendable {
    let runner: Runner
    let buffers: PixelBuffers

    /// Opens a video for reading from its beginning.
    ///
    /// - Parameter height: The height in pixels that frames are reduced to; `nil` keeps the full size.
    func open(_ file: OpenFile, height: Int?) async throws -> OpenedVideo {
        let reply = try await runner.send(
            .openVideo(height: height), [(.base, file)], timeout: runner.timeouts.render,
            isFullSize: true)
        guard case .videoOpened(let opened) = reply else { throw runner.unexpected(reply) }
        guard opened.layout.isFrame, opened.timing.numerator > 0,
            opened.timing.denominator > 0
        else { throw runner.unexpected(reply) }
        return opened
    }

    /// Returns two buffers for frames, so that one is written while the other is read.
    func buffers(
        for layout: UncompressedLayout, readBy group: VideoRunners.Group?
    ) throws -> [PixelBuffers.Buffer] {
        let use = group?.untrusted.map { PixelBuffers.Use.input($0.digest) } ?? .frames
        return try (0..<2).map { _ in try buffers.takeFrame(layout.byteCount, for: use) }
    }

    /// Skips to the frame shown at a time in seconds, as players count, and returns its time.
    @discardableResult
    func skip(to seconds: Double) async throws -> FrameTime {
        let reply = try await runner.send(
            .seek(seconds), timeout: runner.timeouts.render, isFullSize: true)
        guard case .frame(let time?) = reply else { throw runner.unexpected(reply) }
        return time
    }

    /// Skips to the frame shown at a time that was computed from a time of the video, and returns its time.
    @discardableResult
    func skip(toFrameAt seconds: Double) async throws -> FrameTime {
        // The margin keeps rounding from selecting the frame before.
        try await skip(to: seconds + 2e-6)
    }

    /// Opens the sound of the open video. Returns `nil` if there is none that can be decoded.
    func openSound(_ file: OpenFile) async throws -> SoundFormat? {
        let reply = try await runner.send(
            .openSound, [(.base, file)], timeout: runner.timeouts.render, isFullSize: true)
        guard case .soundOpened(let format) = reply, format?.isValid ?? true else {
            throw runner.unexpected(reply)
        }
        return format
    }

    /// Decodes samples of the open sound into `buffer`.
    func readSound(_ first: Int64, _ count: Int, into buffer: PixelBuffers.Buffer) async throws {
        let reply = try await runner.send(
            .readSound(first: first, count: count), [(.reusedOutput, buffer.memory)],
            timeout: runner.timeouts.render, isFullSize: true)
        guard case .done = reply else { throw runner.unexpected(reply) }
    }

    /// Decodes the next frame into `buffer`. Returns `nil` if there are no more.
    func read(into buffer: PixelBuffers.Buffer) async throws -> FrameTime? {
        let reply = try await runner.send(
            .readFrame, [(.reusedOutput, buffer.memory)], timeout: runner.timeouts.render,
            isFullSize: true)
        guard case .frame(let time) = reply else { throw runner.unexpected(reply) }
        return time
    }
}

extension VideoFrameReader {
    /// Decodes frames and discards them.
    ///
    /// - Parameter limit: The maximum number of frames; fewer are decoded at the end of the video.
    func decode(_ limit: Int) async throws -> DecodedFrames {
        let reply = try await runner.send(
            .decodeFrames(limit: limit), timeout: runner.timeouts.render, isFullSize: true)
        guard case .decoded(let frames) = reply, (0...limit).contains(frames.count),
            frames.damagedCount >= 0, frames.lossCount >= 0, frames.missing.isFinite
        else { throw runner.unexpected(reply) }
        return frames
    }
}
