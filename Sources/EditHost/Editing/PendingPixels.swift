// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import Logging
import RunnerProtocol
import Synchronization

/// Pixels for a session with an untrusted extension, which is not given the file. They are decoded when the extension reads
/// them first: many look at no placeholder, and what a session's edit is encoded from is decoded beside that.
final class PendingPixels: Sendable {
    private let source: Renderer.Base
    private let job: Renderer.Job
    /// The square that the picture is fitted into, in pixels; nil: it is the session's input.
    private let longerSide: Int?
    private let renderer: Renderer
    private let handOver: PixelHandOver
    private let profile: OpenFile?
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var drawing: Task<Void, Never>?
        var failure: (any Error)?
        var isOver = false
    }

    /// How the pixels will lie.
    var layout: RawLayout { handOver.layout }

    /// The pixels as what a session starts from. Their memory is given back by ``end()``.
    var base: Renderer.Base {
        get throws {
            var base = Renderer.Base(
                bytes: try handOver.buffer.memory.readOnly(), kind: .raw(layout))
            base.profile = profile
            return base
        }
    }

    /// Nil: there are too many to be handed over while they are made.
    ///
    /// - Parameters:
    ///   - source: a picture or its pixels.
    ///   - longerSide: the square that it is fitted into, in pixels, for a placeholder; nil: it is the input.
    ///   - binary: the extension.
    /// - Throws: `HostError`.
    init?(
        _ source: Renderer.Base, of plan: StatePlan, longerSide: Int?, by renderer: Renderer,
        for binary: ExtensionBinary, _ logger: Logger
    ) async throws {
        let job = try renderer.job([], over: source, of: plan, needsOriginal: true)
        let (layout, profile) = try await renderer.pool.withRunner(isSecond: renderer.isForSession)
        {
            try await $0.announcedPixels(job, longerSide: longerSide)
        }
        guard PixelBuffers.canShare(layout.byteCount) else { return nil }
        self.source = source
        self.job = job
        self.longerSide = longerSide
        self.profile = profile
        self.renderer = renderer
        self.logger = logger
        handOver = try PixelHandOver(
            of: layout, longerSide == nil ? .input(binary.digest) : .placeholder(binary.digest),
            renderer.pool.buffers)
    }

    /// What goes to the extension's runner. Given once.
    ///
    /// - Parameter hasProfile: it gets the original's profile with something else.
    func takeDescriptors(hasProfile: Bool) throws -> [(DescriptorRole, OpenFile)] {
        let (pixels, rows): (DescriptorRole, DescriptorRole) =
            longerSide == nil ? (.reusedBase, .arrivingRows) : (.placeholder, .placeholderRows)
        let profile = hasProfile ? nil : profile
        return [(pixels, try handOver.buffer.memory.readOnly())]
            + handOver.takeReadingEnd(as: rows) + (profile.map { [(.profile, $0)] } ?? [])
    }

    // MARK: - Drawing

    /// Draws them, while a runner waits for their rows; what that is being asked takes its time from the end on.
    func draw(for runner: RunnerProcess) {
        begin(for: runner) { [self] in
            // Whoever waits for them has the session's runner, which counts for both.
            try await renderer.pool.withRunner(isSecond: true) { try await write(with: $0) {} }
        }
    }

    /// Has a runner draw them, and returns when it takes further requests, until ``drawn()``.
    func draw(for runner: RunnerProcess, with codec: Runner) async {
        let (sent, isSent) = AsyncStream<Never>.makeStream()
        let hasBegun = begin(for: runner) { [self] in
            defer { isSent.finish() }
            try await write(with: codec) { isSent.finish() }
        }
        guard hasBegun else { return }
        for await _ in sent {}
    }

    @discardableResult
    private func begin(
        for runner: RunnerProcess, _ writing: @escaping @Sendable () async throws -> Void
    ) -> Bool {
        state.withLock { state in
            // A runner says what it likes as often as it likes, and when.
            guard state.drawing == nil, !state.isOver else { return false }
            runner.beginWaiting(isNow: true)
            // Not on Swift's own threads: all of those may wait for what the extension gives.
            state.drawing = Task(executorPreference: WaitingThread.executor) { [self] in
                do {
                    try await writing()
                    _ = handOver.end(isComplete: true)
                } catch {
                    await fail(error, for: runner)
                }
                runner.endWaiting()
            }
            return true
        }
    }

    private func write(with codec: Runner, sent: @escaping @Sendable () -> Void) async throws {
        let (layout, _) = try await codec.announcedPixels(job, longerSide: longerSide)
        guard layout == self.layout else {
            throw codec.violation("the same picture decoded differently the second time")
        }
        try await codec.writePixels(handOver, sent: sent)
    }

    private func fail(_ error: any Error, for runner: RunnerProcess) async {
        var cause = error
        if let error = error as? HostError {
            do {
                try await renderer.requireSoundness(of: source, after: error, [])
            } catch {
                cause = error
            }
        }
        let failure = cause
        state.withLock { $0.failure = failure }
        if longerSide == nil {
            // Without its input it would fail, for which it is not to blame.
            runner.terminate()
        } else {
            logger.warning("cannot show the current state of a photograph: \(failure)")
        }
        _ = handOver.end(isComplete: false)
    }

    /// Why they are not there.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Waits until they have been drawn, if that has begun. A cancelled task ends it.
    func drawn() async {
        let drawing = state.withLock { $0.drawing }
        await withTaskCancellationHandler {
            await drawing?.value
        } onCancel: {
            drawing?.cancel()
        }
    }

    /// Nobody reads them any more.
    func end() async {
        state.withLock { $0.isOver = true }
        await drawn()
        guard failure == nil else { return }
        renderer.pool.buffers.giveBack(handOver.buffer)
    }
}
