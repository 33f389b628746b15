// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol
import Synchronization

/// Steps of an edit stack that share a runner and process a video frame by frame, or a single step that generates its
/// own frames.
final class FrameStage: VideoStage {
    private let renderer: Renderer
    private let plan: StatePlan
    private let group: VideoRunners.Group
    private let timing: FrameTiming
    private let wanted: FrameTiming?
    private let start: Int64
    private let input: UncompressedLayout
    private let reader: VideoRunners.Group?
    private let scale: Double
    private let state = Mutex(State())

    private struct State {
        /// The memory layout of the output frames, once the first one is announced.
        var output: UncompressedLayout?
        /// The buffer that an untrusted extension writes. The next extension reads a copy, which no other process can
        /// change.
        var own: PixelBuffers.Buffer?
        var warnings: [String] = []
        /// Whether a frame-generating step has been notified of the end of its input.
        var hasEnded = false
        /// The time of the last frame put into a frame-generating step.
        var lastPut: FrameTime?
        /// The time of the last frame that the step generated.
        var lastGenerated: FrameTime?
        /// The number of frames that the step generated.
        var generatedCount = 0
        /// The time of the last generated frame inside the part to keep.
        var lastWanted: FrameTime?
        /// The buffers for the first frame to keep, allocated while earlier frames are skipped.
        var room: (buffer: PixelBuffers.Buffer, spare: PixelBuffers.Buffer)?
    }

    /// - Parameters:
    ///   - wanted: The part of the generated frames to keep; `nil` keeps all of them.
    ///   - start: The start of the whole video, in units of `timing`.
    ///   - input: The memory layout of the input frames.
    ///   - reader: The extensions that read the output; `nil` for the encoder, which reads each pixel once.
    ///   - scale: The width of the decoded frames relative to the picture that the recipes are made for.
    init(
        renderer: Renderer, plan: StatePlan, group: VideoRunners.Group, timing: FrameTiming,
        wanted: FrameTiming?, start: Int64, input: UncompressedLayout, reader: VideoRunners.Group?,
        scale: Double
    ) {
        self.wanted = wanted
        self.start = start
        self.scale = scale
        self.reader = reader
        self.renderer = renderer
        self.plan = plan
        self.group = group
        self.timing = timing
        self.input = input
    }

    private var runner: Runner { group.runner }

    /// The memory layout of the output frames.
    var output: UncompressedLayout { state.withLock { $0.output } ?? input }

    /// Warnings about the output, for the user.
    var warnings: [String] { state.withLock { $0.warnings } }

    private var buffers: PixelBuffers { renderer.pool.buffers }

    /// Recycles the stage's own buffer after a successful render.
    func recycle() {
        if let buffer = state.withLock({ $0.own }) { buffers.recycle(buffer) }
    }

    var generatesFrames: Bool { group.generatesFrames }

    /// Opens the stage with the first frame.
    ///
    /// - Returns: The output frame and a spare buffer of the same size, or `nil` if the step needs another frame.
    /// - Throws: `HostError`.
    func open(
        with frame: VideoRendering.Frame
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)? {
        var input = RenderInput(
            base: .raw(frame.layout), steps: group.steps.map(\.renderStep),
            originalFacts: plan.factsForExtensions,
            renderedContentType: EncodeSettings.rendition(of: plan.originalFacts)
                .format.contentType)
        input.baseScale = scale < 1 ? scale : nil
        input.moment = FrameIdentity(timing, frame.time)
        if plan.stillWidth != nil {
            input.livePhoto = LivePhotoVideo(
                stillTime: plan.originalFacts.video?.stillTime, start: start)
        }
        let binaries = StatePlan.unique(group.steps.map(\.binary))
        let files = try PackedParameterFiles(group.steps.flatMap(\.files), renderer.source)
        if files.memory != nil { input.files = files.ranges }
        // The extension may read this frame later, so it gets a copy that the next frame does not overwrite.
        let copy = try frame.buffer.memory.sealedCopy(frame.layout.byteCount)
        let descriptors =
            try [(DescriptorRole.base, copy)] + files.descriptors
            + renderer.lendOriginal(to: binaries, of: plan, in: &input)
        try await done(.openFrames(input), descriptors)
        guard !generatesFrames else { return try await open(feeding: frame) }
        let job = FrameJob(time: frame.time, layout: frame.layout, output: nil)
        let reply = try await send(.processFrame(job), [(.reusedBase, try frame.lent())])
        return try await firstOutput(reply, at: frame.time)
    }

    /// Feeds another frame to a step that has not returned one yet.
    ///
    /// - Parameter frame: The next frame, or `nil` at the end of the video.
    /// - Throws: `HostError`.
    func open(
        feeding frame: VideoRendering.Frame?
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)? {
        try await put(frame)
        if let room = state.withLock({ $0.room }) {
            let time = try await takeFrame(into: room.buffer)
            return try begun(room.buffer, room.spare, at: time, isEnd: frame == nil)
        }
        let reply = try await send(.takeFrame(nil), [])
        if case .frame(nil) = reply {
            guard frame == nil else { return nil }
            throw failure("it returned none of the video's frames")
        }
        let (first, spare) = try await firstOutput(reply, at: nil)
        state.withLock { $0.room = (first.buffer, spare) }
        var time = try accept(first.time)
        if time == nil { time = try await takeFrame(into: first.buffer) }
        return try begun(first.buffer, spare, at: time, isEnd: frame == nil)
    }

    /// Returns the first frame to keep, or `nil` if the step needs more input.
    private func begun(
        _ buffer: PixelBuffers.Buffer, _ spare: PixelBuffers.Buffer, at time: FrameTime?,
        isEnd: Bool
    ) throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer)? {
        guard let time else {
            guard isEnd else { return nil }
            throw failure("it returned no frame of the remaining part of the video")
        }
        return (VideoRendering.Frame(buffer: buffer, layout: output, time: time), spare)
    }

    private func failure(_ message: String) -> HostError {
        HostError(
            .extensionFailed, message,
            extension: group.steps.first?.binary.manifest.identifier)
    }

    /// Validates the time of a generated frame, which comes from an untrusted process. Returns `nil` for a discarded
    /// frame.
    ///
    /// - Throws: `HostError` with `extensionFailed` if the frame is outside the video, out of order or one too many.
    private func accept(_ time: FrameTime) throws -> FrameTime? {
        let isPossible = state.withLock { state in
            defer { state.lastGenerated = time }
            state.generatedCount += 1
            // Without a duration, the end of the last input frame is the only known limit.
            let end =
                timing.duration > 0
                ? Double(timing.start) + Double(timing.duration)
                : state.lastPut.map { Double($0.timestamp) + Double(max(1, $0.duration)) }
            guard let end, Double(time.timestamp) < end + 1 else { return false }
            // At most one frame per millisecond, with a margin of 1000 for rounded times.
            // Decision 31: without a limit, a faulty extension could fill the disk. The runner only repeats the
            // extension's times.
            guard Double(state.generatedCount) <= 1000 * timing.seconds(time.timestamp) + 1000
            else {
                return false
            }
            return state.lastGenerated.map { time.timestamp > $0.timestamp } ?? true
        }
        guard isPossible else {
            throw failure(
                "it returned a frame outside the video, or not after the previous one")
        }
        guard let wanted else { return time }
        guard wanted.place(of: time) == .inside else { return nil }
        let isFirst = state.withLock { state in
            defer { state.lastWanted = time }
            return state.lastWanted == nil
        }
        // The kept part begins with its first frame.
        return isFirst ? FrameTime(timestamp: min(time.timestamp, wanted.start)) : time
    }

    /// Allocates the buffers for the first output frame and receives it.
    ///
    /// - Parameter time: The time of the frame, or `nil` if the runner reports it.
    private func firstOutput(
        _ reply: RunnerReply, at time: FrameTime?
    ) async throws -> (VideoRendering.Frame, spare: PixelBuffers.Buffer) {
        guard case .outputNeeded(let layout) = reply, layout.pixelFormat == .rgb8 else {
            throw runner.unexpected(reply)
        }
        guard layout.isFrame else {
            throw runner.violation(
                "frames of \(layout.width)x\(layout.height) are too large for a video"
            )
        }
        try runner.accept(layout)
        let author = group.untrusted.map { PixelBuffers.Use.output($0.digest) }
        let use = reader == nil ? author : reader?.untrusted.map { .input($0.digest) }
        let buffer = try buffers.takeFrame(layout.byteCount, for: use ?? .frames)
        let spare = try buffers.takeFrame(layout.byteCount, for: use ?? .frames)
        let own =
            try reader == nil
            ? nil : author.map { try buffers.takeFrame(layout.byteCount, for: $0) }
        state.withLock { state in
            state.output = layout
            state.own = own
        }
        let room = own ?? buffer
        let written = try await send(.takeOutput, [(.reusedOutput, room.memory)])
        guard case .rendered(let report) = written else { throw runner.unexpected(written) }
        state.withLock { $0.warnings = report.warnings }
        try pass(room, to: buffer)
        guard let time = time ?? report.moment?.time else { throw runner.unexpected(written) }
        return (VideoRendering.Frame(buffer: buffer, layout: layout, time: time), spare)
    }

    private func pass(
        _ written: PixelBuffers.Buffer, to buffer: PixelBuffers.Buffer
    ) throws {
        guard written.memory !== buffer.memory else { return }
        try written.memory.copy(output.byteCount, to: buffer.memory)
    }

    /// Processes a frame after the first one.
    ///
    /// - Throws: `HostError`.
    func process(
        _ frame: VideoRendering.Frame, into buffer: PixelBuffers.Buffer
    ) async throws -> FrameTime? {
        guard !generatesFrames else {
            try await put(frame)
            return try await takeFrame(into: buffer)
        }
        let job = FrameJob(time: frame.time, layout: input, output: output)
        let room = state.withLock { $0.own } ?? buffer
        let reply = try await send(
            .processFrame(job),
            [(.reusedBase, try frame.lent()), (.reusedOutput, room.memory)])
        guard case .rendered = reply else { throw runner.unexpected(reply) }
        try pass(room, to: buffer)
        return frame.time
    }

    /// Fetches the next frame of a frame-generating step.
    ///
    /// - Returns: The time of the frame, or `nil` if the step needs more input.
    /// - Throws: `HostError`.
    func takeFrame(into buffer: PixelBuffers.Buffer) async throws -> FrameTime? {
        guard generatesFrames else { return nil }
        let room = state.withLock { $0.own } ?? buffer
        while true {
            try Task.checkCancellation()
            let reply = try await send(.takeFrame(output), [(.reusedOutput, room.memory)])
            if case .frame(nil) = reply { return nil }
            guard case .rendered(let report) = reply, let made = report.moment?.time else {
                throw runner.unexpected(reply)
            }
            guard let time = try accept(made) else { continue }
            try pass(room, to: buffer)
            return time
        }
    }

    /// Notifies a frame-generating step of the end of its input.
    ///
    /// - Throws: `HostError`.
    func endInput() async throws {
        if generatesFrames { try await put(nil) }
    }

    private func put(_ frame: VideoRendering.Frame?) async throws {
        guard let frame else {
            let isFirst = state.withLock { state in
                defer { state.hasEnded = true }
                return !state.hasEnded
            }
            return isFirst ? try await done(.putFrame(nil), []) : ()
        }
        state.withLock { $0.lastPut = frame.time }
        let job = FrameJob(time: frame.time, layout: input, output: nil)
        try await done(.putFrame(job), [(.reusedBase, try frame.lent())])
    }

    /// Closes the stage after the last frame.
    ///
    /// - Throws: `HostError`.
    func close() async throws { try await done(.closeFrames, []) }

    private func send(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws -> RunnerReply {
        try await runner.send(
            request, descriptors, timeout: runner.timeouts.render, isFullSize: true)
    }

    private func done(
        _ request: RunnerRequest, _ descriptors: [(DescriptorRole, OpenFile)]
    ) async throws {
        let reply = try await send(request, descriptors)
        guard case .done = reply else { throw runner.unexpected(reply) }
    }
}

extension VideoRendering.Frame {
    /// Returns the pixels as a read-only descriptor for an extension.
    fileprivate func lent() throws -> OpenFile { try buffer.memory.readOnly() }
}
