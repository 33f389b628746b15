// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import Logging
import RunnerHost
import RunnerProtocol

/// Decodes the video of an input with a media runner, both opened on the first request. Answers one request at a time.
actor InputVideoDecoder {
    /// The answer to a request, with the descriptors that belong to it.
    struct Answer: Sendable {
        let reply: InputVideoReply
        var descriptors: [(DescriptorRole, OpenFile)] = []
        /// The error that prevents reading the video, if any.
        var failure: (any Error)?

        /// An answer that reports an error.
        static func failed(_ error: any Error) -> Answer {
            let failure = InputVideoDecoder.failure(error)
            return Answer(
                reply: .failed(failure), failure: failure.code == .badInput ? error : nil)
        }
    }

    private struct Reading {
        let lease: RunnerPool.Lease
        let reader: VideoFrameReader
        let layout: UncompressedLayout
        let video: InputVideoFacts
        let frame: PixelBuffers.Buffer
    }

    private let open: InputVideoSource.Opening
    private let pool: RunnerPool
    private let use: PixelBuffers.Use
    private let logger: Logger
    private var reading: Reading?
    /// Taken on the first request for sound.
    private var soundBuffer: PixelBuffers.Buffer?

    /// - Parameters:
    ///   - use: The owner of the memory for frames and sound.
    ///   - open: Opens or renders the video.
    init(
        _ pool: RunnerPool, _ use: PixelBuffers.Use, _ logger: Logger,
        _ open: @escaping InputVideoSource.Opening
    ) {
        self.pool = pool
        self.use = use
        self.logger = logger
        self.open = open
    }

    /// Returns the frame or the samples that a request asks for, or the reason why they are unavailable.
    func answer(_ request: InputVideoRequest) async -> Answer {
        do {
            let reading = try await opened()
            switch request {
            case .open: return Answer(reply: .opened(reading.video))
            case .frame(let time): return try await frame(at: time, reading)
            case .sound(let first, let count): return try await sound(first, count, reading)
            }
        } catch {
            // A cancellation ends the decoding runner, which may be what failed.
            if Task.isCancelled { return .failed(CancellationError()) }
            logger.warning("cannot read the video of an edit: \(error)")
            return .failed(error)
        }
    }

    /// Returns the failure to report to the extension. Other messages are withheld, because they may contain paths.
    private static func failure(_ error: any Error) -> RunnerFailure {
        if error is CancellationError { return cancelled }
        guard let error = error as? HostError else { return unreadable }
        switch error.code {
        case .cancelled: return cancelled
        case .badInput, .blockedFormat:
            return RunnerFailure(code: .badInput, message: error.message)
        case .badRequest: return RunnerFailure(code: .badRequest, message: error.message)
        default: return unreadable
        }
    }

    private static let unreadable = RunnerFailure(
        code: .badInput, message: "the video cannot be read")
    private static let cancelled = RunnerFailure(
        code: .cancelled, message: "the edit was cancelled")

    // MARK: - Opening

    private func opened() async throws -> Reading {
        if let reading { return reading }
        let (source, livePhoto) = try await open()
        try Task.checkCancellation()
        let media = try pool.forVideos()
        let lease = try await media.lendToSession(loading: [], isOpenEnded: true)
        do {
            let made = try await open(source, of: livePhoto, lease)
            reading = made
            return made
        } catch {
            lease.runner.process.terminate()
            await media.end(lease)
            throw error
        }
    }

    private func open(
        _ source: AssetVideo, of livePhoto: AssetHistory?, _ lease: RunnerPool.Lease
    ) async throws -> Reading {
        let reader = VideoFrameReader(runner: lease.runner, buffers: pool.buffers)
        let opened = try await reader.open(source.file, height: nil)
        let format = try await reader.openSound(source.file)
        let video = InputVideoFacts(
            size: opened.fullSize, timing: opened.timing, sound: format,
            stillTime: livePhoto.flatMap { Self.stillTime(of: $0, in: opened) })
        return Reading(
            lease: lease, reader: reader, layout: opened.layout, video: video,
            frame: try pool.buffers.takeFrame(opened.layout.byteCount, for: use))
    }

    /// Returns the time of the still in the video's file, otherwise the time in the original unless an edit has
    /// shortened the video.
    private static func stillTime(of livePhoto: AssetHistory, in opened: OpenedVideo) -> Double? {
        if let time = opened.stillTime { return time }
        let original = livePhoto.pairedVideo?.facts?.video?.duration ?? 0
        return abs(opened.timing.length - original) < 0.05 ? livePhoto.stillTime : nil
    }

    // MARK: - Reading

    private func frame(at time: Double, _ reading: Reading) async throws -> Answer {
        let (reader, timing) = (reading.reader, reading.video.timing)
        try await reader.skip(toFrameAt: time)
        guard let frame = try await reader.read(into: reading.frame) else {
            throw HostError(.badInput, "the video has no frame at \(time) s")
        }
        let (end, isTooFar) = frame.timestamp.addingReportingOverflow(frame.duration)
        var next: FrameTime?
        if frame.duration > 0, !isTooFar {
            // If the following frame is damaged, this one is still usable. Reading the following frame fails later.
            let following = try? await reader.skip(toFrameAt: timing.seconds(end))
            next = following ?? FrameTime(timestamp: end)
        }
        if let following = next, following.timestamp <= frame.timestamp { next = nil }
        return Answer(
            reply: .frame(reading.layout, frame, next: next),
            descriptors: [(.reusedBase, try reading.frame.memory.readOnly())])
    }

    private func sound(_ first: Int64, _ count: Int, _ reading: Reading) async throws -> Answer {
        guard let format = reading.video.sound, first >= 0,
            (1...SoundFormat.maximumCount).contains(count)
        else { throw HostError(.badRequest, "the video has no such samples") }
        let size = format.byteCount(SoundFormat.maximumCount)
        let buffer = try soundBuffer ?? pool.buffers.takeFrame(size, for: use)
        soundBuffer = buffer
        try await reading.reader.readSound(first, count, into: buffer)
        return Answer(
            reply: .sound, descriptors: [(.reusedBase, try buffer.memory.readOnly())])
    }

    /// Returns the memory and the runner to their pools.
    func close() async {
        guard let reading else { return }
        self.reading = nil
        for buffer in [reading.frame, soundBuffer].compactMap(\.self) {
            pool.buffers.recycle(buffer)
        }
        soundBuffer = nil
        await pool.media?.end(reading.lease)
    }
}
