// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Foundation
import Glibc
import Logging
import Synchronization

/// One runner: its process, its socket, and a thread that listens to it.
///
/// Every request has a deadline. When one passes, or the runner breaks the protocol, it is killed
/// and reaped, and everything that waits for it fails with a `RunnerDeath`.
final class RunnerProcess: Sendable {
    /// What a request gets: the reply that carries its number.
    typealias Answer = Result<RunnerReply, any Error>

    private struct Pending {
        let continuation: CheckedContinuation<Answer, Never>
        let deadline: ContinuousClock.Instant
        let allowed: Duration
        let outbox: OwnedDescriptor
    }

    private struct State {
        /// What the runner said at its start, before anybody asked.
        var ready: RunnerReply?
        var nextNumber: UInt32 = 1
        var pending: [UInt32: Pending] = [:]
        var phase = RunnerPhase.idle
        var log = RunnerLog()
        var death: RunnerDeath?
        var demandedDeath: RunnerDeath.Cause?
        var vipsVersion = ""
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    /// The request number under which the start-up waits for `ready`.
    private static let readyNumber: UInt32 = 0

    let pid: pid_t
    let folder: RunnerFolder
    private let logger: Logger
    private let state = Mutex(State())
    private let control: OwnedDescriptor
    private let log: OwnedDescriptor
    private let process: OwnedDescriptor
    private let wake: OwnedDescriptor

    /// Starts a runner and waits until it is ready.
    ///
    /// - Throws: `HostError` with `runnerUnavailable`.
    static func start(
        executable: String, threads: Int, deadlines: RunnerDeadlines, logger: Logger
    ) async throws -> RunnerProcess {
        let runner = try await spawn(
            executable: executable, threads: threads, logger: logger)
        do {
            let reply = try await runner.waitForReady(deadline: deadlines.start)
            guard case .ready(let facts) = reply,
                facts.protocolVersion == RunnerFacts.currentProtocol
            else {
                throw HostError(
                    .runnerUnavailable,
                    "\(executable) is of another version than this program; install both together")
            }
            runner.state.withLock { $0.vipsVersion = facts.vipsVersion }
            return runner
        } catch let death as RunnerDeath {
            let log = death.log.isEmpty ? "" : " It said: \(death.log)"
            throw HostError(
                .runnerUnavailable, "the runner \(executable) \(death).\(log)", underlying: death)
        }
    }

    private static func spawn(
        executable: String, threads: Int, logger: Logger
    ) async throws -> RunnerProcess {
        guard access(executable, X_OK) == 0 else {
            throw HostError(
                .runnerUnavailable,
                "the runner \(executable) is missing; it belongs beside the edithost program")
        }
        let folder = try RunnerFolder()
        let spawned = await SpawnThread.shared.run { () -> Result<RunnerProcess, HostError> in
            Result {
                try RunnerProcess(
                    executable: executable, threads: threads, folder: folder, logger: logger)
            }
            .mapError { error in
                error as? HostError
                    ?? HostError(.runnerUnavailable, "\(error)", underlying: error)
            }
        }
        let runner = try spawned.get()
        runner.listen()
        return runner
    }

    private init(
        executable: String, threads: Int, folder: RunnerFolder, logger: Logger
    ) throws {
        var sockets: [Int32] = [-1, -1]
        guard csandbox_socket_pair(&sockets) == 0 else {
            throw OwnedDescriptor.failure("cannot be made", path: "a socket pair")
        }
        control = OwnedDescriptor(taking: sockets[0])
        let farControl = OwnedDescriptor(taking: sockets[1])
        var ends: [Int32] = [-1, -1]
        guard csandbox_log_pipe(&ends) == 0 else {
            throw OwnedDescriptor.failure("cannot be made", path: "a pipe")
        }
        log = OwnedDescriptor(taking: ends[0])
        let farLog = OwnedDescriptor(taking: ends[1])
        let event = csandbox_event()
        guard event >= 0 else { throw OwnedDescriptor.failure("cannot be made", path: "an event") }
        wake = OwnedDescriptor(taking: event)
        var pid: pid_t = 0
        var pidfd: Int32 = -1
        let spawned = Self.withArguments([executable, "\(getpid())"]) { arguments in
            Self.withArguments(Self.environment(threads: threads, folder: folder)) { environment in
                csandbox_spawn(
                    executable, arguments, environment, farControl.number, farLog.number, &pid,
                    &pidfd)
            }
        }
        guard spawned == 0 else {
            throw OwnedDescriptor.failure("cannot be started", path: executable)
        }
        self.pid = pid
        self.folder = folder
        self.logger = logger
        process = OwnedDescriptor(taking: pidfd)
    }

    /// Made from scratch: nothing of the user's environment reaches an extension.
    private static func environment(threads: Int, folder: RunnerFolder) -> [String] {
        [
            "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/nonexistent",
            "TMPDIR=\(folder.path)", "EDITHOST_RUNNER_FOLDER=\(folder.path)",
            // Above any memory budget: pixels never go to a temporary file.
            "VIPS_DISC_THRESHOLD=1000g", "VIPS_CONCURRENCY=\(threads)",
            "SWIFT_BACKTRACE=enable=no",
        ]
    }

    private static func withArguments<Value>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}

// MARK: - Requests

extension RunnerProcess {
    /// Whether it can still be asked.
    var isAlive: Bool {
        state.withLock { $0.death == nil && $0.demandedDeath == nil }
    }

    /// The version of libvips that it has.
    var vipsVersion: String { state.withLock { $0.vipsVersion } }

    /// What the runner and its extensions wrote to stdout and stderr last.
    var logText: String { state.withLock { $0.log.text } }

    /// Asks, and waits for the answer at most until the deadline.
    ///
    /// When the task is cancelled, the runner is killed.
    /// - Throws: `RunnerDeath`, or `HostError` where the request cannot be sent.
    func request(
        _ request: RunnerRequest, descriptors: [(DescriptorRole, OwnedDescriptor)] = [],
        deadline: Duration
    ) async throws -> RunnerReply {
        let envelope = RequestEnvelope(
            descriptors: descriptors.map(\.0) + [.outbox], request: request)
        let body = try JSONEncoder().encode(envelope)
        guard body.count <= RunnerPacket.maximumBody else {
            throw HostError(.badRequest, "the recipes are too large for one request")
        }
        let outbox = try OwnedDescriptor.memory("outbox")
        var sent = descriptors.map(\.1) + [outbox]
        if body.count > RunnerPacket.maximumInline {
            sent.insert(try .memory("inbox", holding: body), at: 0)
        }
        return try await withTaskCancellationHandler {
            try await wait(deadline: deadline, outbox: outbox) { number in
                send(RunnerPacket.encode(number: number, body: body), sent)
            }.get()
        } onCancel: {
            terminate()
        }
    }

    /// Waits for the runner's first message, which may have come already.
    private func waitForReady(deadline: Duration) async throws -> RunnerReply {
        let outbox = try OwnedDescriptor.memory("outbox")
        return try await wait(deadline: deadline, outbox: outbox, number: Self.readyNumber) { _ in
            let pending = state.withLock { state in
                state.ready == nil ? nil : state.pending.removeValue(forKey: Self.readyNumber)
            }
            if let pending, let ready = state.withLock({ $0.ready }) {
                pending.continuation.resume(returning: .success(ready))
            }
        }.get()
    }

    private func wait(
        deadline: Duration, outbox: OwnedDescriptor, number: UInt32? = nil,
        send: (UInt32) -> Void
    ) async -> Answer {
        await withCheckedContinuation { continuation in
            let registered = state.withLock { state -> Result<UInt32, RunnerDeath> in
                if let death = state.death { return .failure(death) }
                let used = number ?? state.nextNumber
                if number == nil { state.nextNumber &+= 1 }
                state.pending[used] = Pending(
                    continuation: continuation, deadline: .now + deadline, allowed: deadline,
                    outbox: outbox)
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

    private func send(_ packet: Data, _ descriptors: [OwnedDescriptor]) {
        let result = packet.withUnsafeBytes { bytes in
            csandbox_send(
                control.number, bytes.baseAddress, bytes.count, descriptors.map(\.number),
                Int32(descriptors.count))
        }
        // A runner that is gone is noticed by the listening thread.
        guard result < 0, errno != EPIPE, errno != ECONNRESET else { return }
        let reason = String(cString: strerror(errno))
        demandDeath(.protocolViolation("a request could not be sent: \(reason)"))
    }

    /// Ends the runner now; whatever waits for it fails with `terminated`.
    func terminate() { demandDeath(.terminated) }

    /// Ends the runner in order: closes its socket, waits until it is gone, kills it if it stays.
    func shutDown() async {
        _ = Glibc.shutdown(control.number, Int32(SHUT_RDWR))
        await withCheckedContinuation { continuation in
            let isGone = state.withLock { state in
                if state.death == nil { state.watchers.append(continuation) }
                return state.death != nil
            }
            if isGone { continuation.resume() }
        }
    }

    private func demandDeath(_ cause: RunnerDeath.Cause) {
        state.withLock { $0.demandedDeath = $0.demandedDeath ?? cause }
        wakeUp()
    }

    private func wakeUp() {
        var one: UInt64 = 1
        _ = Glibc.write(wake.number, &one, MemoryLayout<UInt64>.size)
    }
}

// MARK: - Listening

extension RunnerProcess {
    private func listen() {
        let thread = Thread { [self] in
            let cause = listenUntilTheEnd()
            finish(demanded: cause)
        }
        thread.name = "runner \(pid)"
        thread.start()
    }

    /// Returns why the host wants the runner dead, or nil where it is gone by itself.
    private func listenUntilTheEnd() -> RunnerDeath.Cause? {
        while true {
            var polled = [control, log, process, wake].map {
                pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)
            }
            let count = poll(&polled, 4, timeout())
            guard count >= 0 || errno == EINTR else { return .protocolViolation("poll failed") }
            if polled[1].revents != 0 { drainLog() }
            if polled[3].revents != 0 {
                var value: UInt64 = 0
                _ = Glibc.read(wake.number, &value, MemoryLayout<UInt64>.size)
            }
            if polled[0].revents != 0 {
                switch receive() {
                case .message: break
                case .end: return endOfStream()
                case .violation(let detail): return .protocolViolation(detail)
                }
            } else if polled[2].revents != 0 {
                return nil
            }
            if let cause = reasonToKill() { return cause }
        }
    }

    private func timeout() -> Int32 {
        let next = state.withLock { $0.pending.values.map(\.deadline).min() }
        guard let next else { return -1 }
        let (seconds, attoseconds) = (next - .now).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        return Int32(max(0, min(milliseconds, 3_600_000)))
    }

    private func reasonToKill() -> RunnerDeath.Cause? {
        state.withLock { state in
            if let demanded = state.demandedDeath { return demanded }
            let now = ContinuousClock.now
            return state.pending.values.first { $0.deadline <= now }.map { .deadline($0.allowed) }
        }
    }

    private enum Received {
        case message, end
        case violation(String)
    }

    private func receive() -> Received {
        var buffer = [UInt8](repeating: 0, count: RunnerPacket.maximumLength + 1)
        var count: Int32 = 0
        let length = csandbox_receive(control.number, &buffer, buffer.count, nil, &count)
        if length < 0 {
            if errno == ECONNRESET { return .end }
            return .violation("a packet is too large, or carries descriptors")
        }
        if length == 0 { return .end }
        guard let (header, body) = RunnerPacket.decode(Data(buffer[..<length])) else {
            return .violation("a packet is not of the protocol")
        }
        return deliver(header, body)
    }

    private func deliver(_ header: RunnerPacket.Header, _ inlineBody: Data) -> Received {
        let outbox = state.withLock { $0.pending[header.number]?.outbox }
        var body = inlineBody
        if header.isElsewhere {
            guard let outbox, let data = try? outbox.read(count: header.bodyLength),
                data.count == header.bodyLength
            else { return .violation("an answer is not where it says") }
            body = data
        }
        guard let reply = try? JSONDecoder().decode(RunnerReply.self, from: body) else {
            return .violation("a message cannot be read")
        }
        return header.number == 0 ? note(reply) : answer(header.number, reply)
    }

    private func note(_ reply: RunnerReply) -> Received {
        switch reply {
        case .phase(let phase):
            state.withLock { $0.phase = phase }
        case .log(let line):
            logger.info("\(line)")
            state.withLock { $0.log.append(Data((line + "\n").utf8)) }
        case .ready:
            let (isFirst, pending) = state.withLock { state in
                defer { state.ready = state.ready ?? reply }
                return (state.ready == nil, state.pending.removeValue(forKey: Self.readyNumber))
            }
            guard isFirst else { return .violation("it says twice that it is ready") }
            pending?.continuation.resume(returning: .success(reply))
        default:
            return .violation("an answer without a question")
        }
        return .message
    }

    private func answer(_ number: UInt32, _ reply: RunnerReply) -> Received {
        let pending = state.withLock { $0.pending.removeValue(forKey: number) }
        guard let pending else { return .violation("an answer without a question") }
        pending.continuation.resume(returning: .success(reply))
        return .message
    }

    private func drainLog() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        // Bounded, so that a flood cannot keep the thread from its deadlines.
        for _ in 0..<16 {
            let count = Glibc.read(log.number, &buffer, buffer.count)
            guard count > 0 else { return }
            state.withLock { $0.log.append(Data(buffer[..<count])) }
        }
    }

    /// The socket is closed: the process is about to be gone, or pretends to be.
    private func endOfStream() -> RunnerDeath.Cause? {
        var polled = pollfd(fd: process.number, events: Int16(POLLIN), revents: 0)
        let isGone = poll(&polled, 1, 500) > 0
        return isGone ? nil : .protocolViolation("closed its socket and went on running")
    }

    private func finish(demanded: RunnerDeath.Cause?) {
        if demanded != nil { _ = csandbox_kill(process.number) }
        var signal: Int32 = 0
        var status: Int32 = 0
        _ = csandbox_reap(process.number, 1, &signal, &status)
        drainLog()
        let own: RunnerDeath.Cause =
            signal != 0
            ? .signal(String(cString: csandbox_signal_name(signal))) : .exit(Int(status))
        folder.remove()
        let (pending, watchers, death) = state.withLock { state in
            let death = RunnerDeath(
                cause: demanded ?? own, phase: state.phase, log: state.log.text)
            state.death = death
            defer { (state.pending, state.watchers) = ([:], []) }
            return (Array(state.pending.values), state.watchers, death)
        }
        for pending in pending { pending.continuation.resume(returning: .failure(death)) }
        for watcher in watchers { watcher.resume() }
    }
}
