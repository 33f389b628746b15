// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerProtocol

/// The runners that render one video: a decoder, those of the extensions, and an encoder.
struct VideoRunners: Sendable {
    /// Steps that share a runner: all trusted, or all of one extension.
    struct Group: Sendable {
        let steps: [StatePlan.Step]
        /// Whether the only step makes its own frames.
        let makesFrames: Bool
        fileprivate let lease: RunnerPool.Lease

        var runner: Runner { lease.runner }
        /// The untrusted extension; `nil` if all are trusted.
        var isolated: ExtensionBinary? {
            steps.first.flatMap { $0.binary.isTrusted ? nil : $0.binary }
        }
    }

    let stages: [Group]
    private let decoding: RunnerPool.Lease
    private let encoding: RunnerPool.Lease
    private let pool: RunnerPool
    private let media: RunnerPool

    var decoder: Runner { decoding.runner }
    var encoder: Runner { encoding.runner }

    /// Lends the runners, beyond the limits of the pools. The caller must hold the pool's turn for videos.
    ///
    /// - Throws: `HostError`.
    init(_ pool: RunnerPool, _ steps: [StatePlan.Step]) async throws {
        self.pool = pool
        media = try pool.forVideos()
        // The runners start concurrently.
        await media.warmUp(2)
        if !steps.isEmpty { await pool.warmUp() }
        var lent: [(RunnerPool, RunnerPool.Lease)] = []
        do {
            decoding = try await media.lendToSession(loading: [], isOpenEnded: true)
            lent.append((media, decoding))
            encoding = try await media.lendToSession(loading: [], isOpenEnded: true)
            lent.append((media, encoding))
            var stages: [Group] = []
            var rest = steps[...]
            while !rest.isEmpty {
                let next = rest.sharingRunner
                let lease = try await pool.lendToSession(
                    loading: StatePlan.unique(next.map(\.binary)), isOpenEnded: true)
                lent.append((pool, lease))
                let makers = try await lease.runner.makesFrames(next)
                let makesFrames = makers.first == true
                // A frame-making step does not share its runner.
                let count = makesFrames ? 1 : makers.firstIndex(of: true) ?? next.count
                stages.append(
                    Group(
                        steps: Array(next.prefix(count)), makesFrames: makesFrames, lease: lease))
                rest = rest.dropFirst(count)
            }
            self.stages = stages
        } catch {
            for (pool, lease) in lent { await pool.takeBack(lease) }
            throw error
        }
    }

    /// Returns the runners to their pools after a successful render.
    func giveBack() async {
        for stage in stages {
            stage.runner.recordSuccess()
            await pool.takeBack(stage.lease)
        }
        await media.takeBack(decoding)
        await media.takeBack(encoding)
    }

    /// Terminates the runners, even with requests in flight.
    func end() async {
        for runner in stages.map(\.runner) + [decoder, encoder] { runner.process.terminate() }
        for stage in stages { await pool.takeBack(stage.lease) }
        await media.takeBack(decoding)
        await media.takeBack(encoding)
    }
}

/// Requests frames from a media runner, one after the other.
struct VideoFrameReader: Sendable {
    let runner: Runner
    let buffers: PixelBuffers

    /// Opens a video for reading from its beginning.
    ///
    /// - Parameter height: The height in pixels that frames are reduced to; `nil` keeps the full size.
    func open(_ file: OpenFile, height: Int?) async throws -> OpenedVideo {
        let reply = try await runner.ask(
            .openVideo(height: height), [(.base, file)], deadline: runner.deadlines.render,
            isFullSize: true)
        guard case .videoOpened(let opened) = reply else { throw runner.unexpected(reply) }
        guard opened.layout.isFrame, opened.timing.numerator > 0,
            opened.timing.denominator > 0
        else { throw runner.unexpected(reply) }
        return opened
    }

    /// Returns two buffers for frames, so that one is written while the other is read.
    func buffers(
        for layout: RawLayout, readBy group: VideoRunners.Group?
    ) throws -> [PixelBuffers.Buffer] {
        let use = group?.isolated.map { PixelBuffers.Use.input($0.digest) } ?? .frames
        return try (0..<2).map { _ in try buffers.takeFrame(layout.byteCount, for: use) }
    }

    /// Skips to the frame shown at a time in seconds, as players count.
    func skip(to seconds: Double) async throws {
        let reply = try await runner.ask(
            .skipTo(seconds), deadline: runner.deadlines.render, isFullSize: true)
        guard case .done = reply else { throw runner.unexpected(reply) }
    }

    /// Decodes the next frame into `buffer`. Returns `nil` if there are no more.
    func read(into buffer: PixelBuffers.Buffer) async throws -> FrameTime? {
        let reply = try await runner.ask(
            .readFrame, [(.reusedOutput, buffer.memory)], deadline: runner.deadlines.render,
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
        let reply = try await runner.ask(
            .decodeFrames(limit: limit), deadline: runner.deadlines.render, isFullSize: true)
        guard case .decoded(let frames) = reply, (0...limit).contains(frames.count),
            frames.damagedCount >= 0, frames.lossCount >= 0, frames.missing.isFinite
        else { throw runner.unexpected(reply) }
        return frames
    }
}

extension Runner {
    /// Returns for each step whether it makes its own frames.
    fileprivate func makesFrames(_ steps: ArraySlice<StatePlan.Step>) async throws -> [Bool] {
        let identifiers = steps.map(\.binary.manifest.identifier)
        let reply = try await ask(.makesFrames(identifiers), deadline: deadlines.render)
        guard case .answers(let answers) = reply, answers.count == steps.count else {
            throw unexpected(reply)
        }
        return answers
    }

    /// Copies a video without decoding it.
    ///
    /// - Returns: `nil` if the video must be encoded.
    func copy(
        _ copying: VideoCopying, from source: OpenFile, to file: OpenFile
    ) async throws -> CopiedVideo? {
        let reply = try await ask(
            .copyVideo(copying), [(.base, source), (.videoOutput, file)],
            deadline: deadlines.render, isFullSize: true)
        guard case .copied(let copied) = reply else { throw unexpected(reply) }
        return copied
    }
}

/// Sends frames to a media runner, one after the other.
struct VideoFrameWriter: Sendable {
    let runner: Runner
    let layout: RawLayout

    /// Begins the file, taking everything but the frames from `source`.
    func begin(_ writing: VideoWriting, source: OpenFile, _ file: OpenFile) async throws {
        try await done(.beginVideo(writing), [(.base, source), (.videoOutput, file)])
    }

    /// Encodes a frame.
    func write(_ frame: VideoRendering.Frame) async throws {
        try await done(
            .writeFrame(frame.time, layout), [(.reusedBase, frame.buffer.memory)])
    }

    /// An upper bound on the frames that any encoder holds back.
    private static let maximumDelay = 1024

    /// Completes the file. Each request flushes one frame that the encoder has held back: all of them together may
    /// exceed the time limit of a request.
    ///
    /// - Parameter time: The end of the last frame, in the video's units; `nil` keeps the duration of the frame.
    func end(at time: Int64?) async throws -> RenderReport {
        var delayed = 0
        while true {
            let reply = try await runner.ask(
                .endVideo(at: time), deadline: runner.deadlines.render, isFullSize: true)
            switch reply {
            case .rendered(let report): return report
            case .done where delayed < Self.maximumDelay:
                delayed += 1
                try Task.checkCancellation()
            default: throw runner.unexpected(reply)
            }
        }
    }

    private func done(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws {
        let reply = try await runner.ask(
            request, descriptors, deadline: runner.deadlines.render, isFullSize: true)
        guard case .done = reply else { throw runner.unexpected(reply) }
    }
}
