// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import Glibc
import RunnerProtocol

extension RunnerProcess {
    /// True if the runner accepts requests.
    package var isAlive: Bool {
        state.withLock { $0.death == nil && $0.requestedTermination == nil }
    }

    /// The last phase that the runner reported.
    package var phase: RunnerPhase { state.withLock { $0.phase } }

    /// The observer of the current edit, or `nil` if there is none.
    package var observer: (any RunnerObserver)? {
        get { state.withLock { $0.observer } }
        set { state.withLock { $0.observer = newValue } }
    }

    /// The facts that the runner reported about itself, such as its version of libvips.
    var facts: RunnerFacts? { state.withLock { $0.facts } }

    /// The last output of the runner and its extensions to stdout and stderr.
    var logText: String { state.withLock { $0.log.text } }

    /// Sends a request and waits for its reply, at most until the timeout.
    ///
    /// If the task is cancelled, the runner is killed.
    ///
    /// - Parameter sent: Called when the request has been sent. Requests made after that follow it.
    /// - Throws: `RunnerDeath`, or `HostError` if the request cannot be sent.
    func request(
        _ request: RunnerRequest, descriptors: [(DescriptorRole, OpenFile)] = [],
        timeout: Duration, isFullSize: Bool = false,
        sent: (@Sendable () -> Void)? = nil
    ) async throws -> RunnerReply {
        let hasOutbox = !request.hasShortReply
        let envelope = RequestEnvelope(
            descriptors: descriptors.map(\.0) + (hasOutbox ? [.outbox] : []), request: request)
        let body: Data
        do {
            body = try MessageBody.encode(envelope)
        } catch {
            throw HostError(
                .badRequest,
                "the request is larger than \(MessageBody.maximumText >> 20) MiB without its "
                    + "recipes: "
                    + "there are too many edits, or values of parameters are too "
                    + "long", underlying: error)
        }
        guard body.count <= RunnerPacket.maximumBody else {
            throw HostError(.badRequest, "the recipes are too large for one request")
        }
        // Decision 1: the host allocates all shared memory, so that a runner need not be able to.
        let outbox =
            hasOutbox
            ? try OpenFile.runnerMemory("outbox", room: RunnerPacket.maximumBody) : nil
        var lent = descriptors + (outbox.map { [(.outbox, $0)] } ?? [])
        if body.count > RunnerPacket.maximumInline {
            let inbox = try OpenFile.runnerMemory(
                "inbox", holding: body, room: body.count)
            lent.insert((.inbox, inbox), at: 0)
        }
        lend(lent)
        applyLimits()
        state.withLock { $0.log.beginRequest() }
        let allowed = allowedTime(timeout: timeout, isFullSize: isFullSize)
        // Lent memory must not be emptied before the reply has arrived.
        defer { withExtendedLifetime(lent) {} }
        let reply = try await withTaskCancellationHandler {
            try await wait(
                timeout: allowed, outbox: outbox, isImmediate: request.isAnsweredImmediately
            ) { number in
                send(RunnerPacket.encode(number: number, body: body), lent.map(\.1))
                sent?()
            }.get()
        } onCancel: {
            terminate()
        }
        return explained(reply)
    }

    /// Records the memory lent to the runner. The library and the files of an extension belong to the host and do not
    /// count.
    private func lend(_ descriptors: [(DescriptorRole, OpenFile)]) {
        state.withLock { state in
            for (role, memory) in descriptors where role != .library && role != .files {
                state.runnerMemory.lend(memory, isInput: role.isInput)
            }
        }
    }

    /// Adds a hint about the memory limit to a failure that it may have caused.
    private func explained(_ reply: RunnerReply) -> RunnerReply {
        guard case .failed(var failure) = reply, let identifier = failure.extensionIdentifier,
            failure.code == .extensionFailed, isShortOfMemory(),
            let budget = state.withLock({ $0.budget })
        else { return reply }
        failure.message +=
            "; it reached its limit of \(budget.memory >> 20) MiB of memory; raise "
            + "budgets.\(identifier).\(ExtensionBudget.Part.memory.rawValue) in the "
            + "configuration file"
        return .failed(failure)
    }

    /// Waits for the runner's first message, which may have arrived already.
    func waitForReady(timeout: Duration) async throws -> RunnerReply {
        return try await wait(timeout: timeout, outbox: nil, number: Self.readyNumber) { _ in
            let pending = state.withLock { state in
                state.ready == nil ? nil : state.pending.removeValue(forKey: Self.readyNumber)
            }
            if let pending, let ready = state.withLock({ $0.ready }) {
                pending.continuation.resume(returning: .success(ready))
            }
        }.get()
    }

    private func wait(
        timeout: Duration, outbox: OpenFile?, number: UInt32? = nil, isImmediate: Bool = false,
        send: (UInt32) -> Void
    ) async -> Answer {
        await withCheckedContinuation { continuation in
            let registered = state.withLock { state -> Result<UInt32, RunnerDeath> in
                if let death = state.death { return .failure(death) }
                let used = number ?? state.nextNumber
                if number == nil { state.nextNumber &+= 1 }
                state.pending[used] = Pending(
                    continuation: continuation,
                    deadline: state.awaited > 0 && !isImmediate ? nil : .now + timeout,
                    allowed: timeout, isImmediate: isImmediate, outbox: outbox)
                return .success(used)
            }
            switch registered {
            case .failure(let death): continuation.resume(returning: .failure(death))
            case .success(let used):
                send(used)
                wakeUp()
            }
        }
    }

    private func send(_ packet: Data, _ descriptors: [OpenFile]) {
        let result = packet.withUnsafeBytes { bytes in
            csandbox_send(
                control.descriptor, bytes.baseAddress, bytes.count, descriptors.map(\.descriptor),
                Int32(descriptors.count))
        }
        // The listening thread detects a runner that is gone.
        guard result < 0, errno != EPIPE, errno != ECONNRESET else { return }
        let reason = String(cString: strerror(errno))
        requestTermination(.protocolViolation("cannot send a request: \(reason)"))
    }

    /// Suspends the deadlines of subsequent requests until ``endWaiting()``, because they depend on another runner with
    /// a separate deadline.
    ///
    /// - Parameters:
    ///   - isNow: Whether the deadlines of pending requests are suspended as well.
    ///   - keepsRest: Whether pending requests get only the rest of their time afterwards, for waits that a runner can
    ///     repeat.
    package func beginWaiting(isNow: Bool = false, keepsRest: Bool = false) {
        state.withLock { state in
            state.awaited += 1
            guard isNow else { return }
            for (number, pending) in state.pending where !pending.isImmediate {
                if keepsRest, let deadline = pending.deadline {
                    state.pending[number]?.rest = deadline - ContinuousClock.now
                }
                state.pending[number]?.deadline = nil
            }
        }
    }

    /// Resumes the deadlines: the other runner is done, and the time of the pending requests starts or continues now.
    package func endWaiting() {
        state.withLock { state in
            state.awaited = max(0, state.awaited - 1)
            guard state.awaited == 0 else { return }
            for (number, pending) in state.pending where pending.deadline == nil {
                state.pending[number]?.deadline = .now + (pending.rest ?? pending.allowed)
                state.pending[number]?.rest = nil
            }
        }
        wakeUp()
    }

    /// Stops the runner until it gets SIGCONT.
    func stop() {
        guard isAlive else { return }
        _ = Glibc.kill(pid, SIGSTOP)
    }

    /// Kills the runner. Pending requests fail with `terminated`.
    package func terminate() { requestTermination(.terminated) }

    /// Shuts the runner down: closes its socket, waits until it is gone, and kills it if it keeps running.
    func shutDown() async {
        // With --in-process, the runner is the parent of this process, and exits with its status. Waiting for the
        // runner would therefore never end.
        guard !isParent else { return folder.remove() }
        _ = Glibc.shutdown(control.descriptor, Int32(SHUT_RDWR))
        await withCheckedContinuation { continuation in
            let isGone = state.withLock { state in
                if state.death == nil { state.watchers.append(continuation) }
                return state.death != nil
            }
            if isGone { continuation.resume() }
        }
    }

    private func requestTermination(_ cause: RunnerDeath.Cause) {
        state.withLock { $0.requestedTermination = $0.requestedTermination ?? cause }
        wakeUp()
    }

    func wakeUp() {
        var one: UInt64 = 1
        _ = Glibc.write(wake.descriptor, &one, MemoryLayout<UInt64>.size)
    }
}

extension RunnerRequest {
    /// Whether the reply always fits in a packet. These requests are made for every frame of a video, and allocating
    /// memory for a longer reply costs more than sending it.
    fileprivate var hasShortReply: Bool {
        switch self {
        case .seek, .readFrame, .readSound, .supplyVideo, .writeFrame, .putFrame: true
        case .processFrame(let job): job.output != nil
        default: false
        }
    }

    /// Whether a runner answers even while another request is in flight.
    fileprivate var isAnsweredImmediately: Bool {
        switch self {
        case .shouldConfirmCancel, .cancel, .supplyVideo: true
        default: false
        }
    }
}

extension DescriptorRole {
    /// Whether a runner can only read the descriptor of this role.
    fileprivate var isInput: Bool {
        switch self {
        case .base, .reusedBase, .changingBase, .rowProgress, .metadataSource, .sidecar,
            .profile, .placeholder, .placeholderRows, .library, .files, .parameterFiles, .original,
            .inbox:
            true
        case .output, .pixels, .reusedOutput, .writtenRows, .writtenProfile, .videoOutput, .outbox:
            false
        }
    }
}
