// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import Logging
import RunnerHost
import RunnerProtocol
import Synchronization

/// Lazily decoded pixels for a session with an untrusted extension, which does not get the file.
///
/// They are decoded when the extension first reads them, because many extensions never read the placeholder. The input
/// is streamed to the extension while it is decoded, concurrently with the encoding of the edit.
final class LazyPixelSource: Sendable {
    private let source: Renderer.Base
    private let job: Renderer.Job
    /// The side of the square that a placeholder is fitted into, in pixels; if nil, the pixels are the session's input.
    private let longerSide: Int?
    private let renderer: Renderer
    private let streamedBuffer: StreamedBuffer
    private let profile: OpenFile?
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var rendering: Task<Void, Never>?
        var failure: (any Error)?
        var isOver = false
    }

    /// The size and layout of the pixels.
    var layout: UncompressedLayout { streamedBuffer.layout }

    /// The pixels as the base of a session. Their memory is returned to the pool by ``end()``.
    var base: Renderer.Base {
        get throws {
            var base = Renderer.Base(
                bytes: try streamedBuffer.buffer.memory.readOnly(), kind: .raw(layout))
            base.profile = profile
            return base
        }
    }

    /// Returns nil if there are too many pixels to stream them.
    ///
    /// - Parameters:
    ///   - source: An encoded picture or its pixels.
    ///   - longerSide: The side of the square that a placeholder is fitted into, in pixels; if nil, the pixels are the
    ///     input.
    ///   - binary: The extension that reads the pixels.
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
        streamedBuffer = try StreamedBuffer(
            of: layout, longerSide == nil ? .input(binary.digest) : .placeholder(binary.digest),
            renderer.pool.buffers)
    }

    /// Returns the descriptors for the extension's runner. Must be called once.
    ///
    /// - Parameter hasProfile: Whether the runner gets the original's profile from other descriptors.
    func takeDescriptors(hasProfile: Bool) throws -> [(DescriptorRole, OpenFile)] {
        let (pixels, rows): (DescriptorRole, DescriptorRole) =
            longerSide == nil ? (.reusedBase, .rowProgress) : (.placeholder, .placeholderRows)
        let profile = hasProfile ? nil : profile
        return [(pixels, try streamedBuffer.buffer.memory.readOnly())]
            + streamedBuffer.takeReadingEnd(as: rows) + (profile.map { [(.profile, $0)] } ?? [])
    }

    // MARK: - Rendering

    /// Renders the pixels while a runner waits for their rows. The deadlines of its requests start when rendering has
    /// finished.
    func render(for runner: RunnerProcess) {
        begin(for: runner) { [self] in
            // The runner that waits for the pixels counts for both against the pool's limit.
            try await renderer.pool.withRunner(isSecond: true) { try await write(with: $0) {} }
        }
    }

    /// Starts rendering the pixels with a runner. Returns when the runner accepts further requests; see also
    /// ``rendered()``.
    func render(for runner: RunnerProcess, with codec: Runner) async {
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
            // A runner is untrusted and may ask for the pixels at any time, any number of times.
            guard state.rendering == nil, !state.isOver else { return false }
            runner.beginWaiting(isNow: true)
            // Does not run on Swift's cooperative threads, because all of them may be blocked waiting for output of the
            // extension.
            state.rendering = Task(executorPreference: WaitingThread.executor) { [self] in
                do {
                    try await writing()
                    _ = streamedBuffer.end(isComplete: true)
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
        try await codec.writePixels(streamedBuffer, sent: sent)
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
            // Without its input, the extension would fail although it is not to blame.
            runner.terminate()
        } else {
            logger.warning("cannot show the current state of a photo: \(failure)")
        }
        _ = streamedBuffer.end(isComplete: false)
    }

    /// The error that prevented rendering, if any.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Waits until rendering has finished, if it has started. Cancelling the task cancels rendering.
    func rendered() async {
        let rendering = state.withLock { $0.rendering }
        await withTaskCancellationHandler {
            await rendering?.value
        } onCancel: {
            rendering?.cancel()
        }
    }

    /// Stops offering the pixels and returns their memory to the pool. The session no longer reads them.
    func end() async {
        state.withLock { $0.isOver = true }
        await rendered()
        guard failure == nil else { return }
        renderer.pool.buffers.recycle(streamedBuffer.buffer)
    }
}
