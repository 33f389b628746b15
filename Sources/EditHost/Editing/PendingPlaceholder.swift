// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Logging
import RunnerProtocol
import Synchronization

/// The current state at display size for an edit by an untrusted extension, which is not given the file. Few look at it, and
/// decoding it takes longer than the edit itself, so that is done when the extension reads it first.
final class PendingPlaceholder: Sendable {
    private let job: Renderer.Job
    private let longerSide: Int
    private let renderer: Renderer
    private let handOver: PixelHandOver
    private let profile: OpenFile?
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        /// Says whether it could be drawn.
        var drawing: Task<Bool, Never>?
        var isOver = false
    }

    /// How the pixels will lie.
    var layout: RawLayout { handOver.layout }

    /// - Parameters:
    ///   - current: the file, or a frame of it.
    ///   - displaySize: the square that the picture is fitted into, in pixels.
    ///   - binary: the extension.
    /// - Throws: `HostError`.
    init(
        _ current: Renderer.Base, of plan: StatePlan, displaySize: Int, by renderer: Renderer,
        for binary: ExtensionBinary, _ logger: Logger
    ) async throws {
        let job = try renderer.job([], over: current, of: plan, needsOriginal: true)
        let (layout, profile) = try await renderer.pool.withRunner(isSecond: renderer.isForSession)
        {
            try await $0.announcedPixels(job, longerSide: displaySize)
        }
        self.job = job
        self.profile = profile
        self.renderer = renderer
        self.logger = logger
        longerSide = displaySize
        handOver = try PixelHandOver(
            of: layout, .placeholder(binary.digest), renderer.pool.buffers)
    }

    /// What goes to the extension's runner. Given once.
    ///
    /// - Parameter hasProfile: it gets the original's profile with something else.
    func takeDescriptors(hasProfile: Bool) throws -> [(DescriptorRole, OpenFile)] {
        let pixels: [(DescriptorRole, OpenFile)] = [
            (.placeholder, try handOver.buffer.memory.readOnly())
        ]
        let profile = hasProfile ? nil : profile.map { (DescriptorRole.profile, $0) }
        return pixels + handOver.takeReadingEnd(as: .placeholderRows)
            + (profile.map { [$0] } ?? [])
    }

    /// Draws it, while a runner waits for its rows; what that is being asked takes its time from the end on.
    func draw(for runner: RunnerProcess) {
        state.withLock { state in
            // It says what it likes as often as it likes, and when.
            guard state.drawing == nil, !state.isOver else { return }
            runner.beginWaiting(isNow: true)
            state.drawing = Task {
                let isComplete = await isWritten()
                _ = handOver.end(isComplete: isComplete)
                runner.endWaiting()
                return isComplete
            }
        }
    }

    private func isWritten() async -> Bool {
        do {
            // Whoever waits for it has the session's runner, which counts for both.
            try await renderer.pool.withRunner(isSecond: true) { codec in
                let (layout, _) = try await codec.announcedPixels(job, longerSide: longerSide)
                guard layout == self.layout else {
                    throw codec.violation("the same picture is another one now")
                }
                try await codec.writePixels(handOver)
            }
            return true
        } catch {
            logger.warning("the current state of a photograph cannot be shown: \(error)")
            return false
        }
    }

    /// Nobody reads it any more.
    func end() async {
        let drawing = state.withLock { state in
            state.isOver = true
            return state.drawing
        }
        guard await drawing?.value != false else { return }
        renderer.pool.buffers.giveBack(handOver.buffer)
    }
}
