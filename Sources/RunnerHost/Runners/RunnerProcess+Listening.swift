// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Foundation
import Glibc
import RunnerProtocol

extension RunnerProcess {
    /// Starts the thread that listens to the runner until it is gone.
    func listen() {
        let thread = Thread { [self] in
            let cause = listenUntilTheEnd()
            finish(demanded: cause)
        }
        thread.name = "runner \(pid)"
        thread.start()
    }

    /// Returns the reason why the host must kill the runner, or `nil` if it has exited.
    private func listenUntilTheEnd() -> RunnerDeath.Cause? {
        var nextCheck = ContinuousClock.now
        /// The latest time of the next check of a busy runner, according to the last check.
        var latestCheck = nextCheck
        var isLogOpen = true
        var phases = PhaseCache()
        while true {
            // A closed log would always be ready. `poll` ignores negative descriptors.
            let open = isLogOpen ? log.descriptor : -1
            let numbers = [control.descriptor, open, process.descriptor, wake.descriptor]
            var polled = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = poll(&polled, 4, timeout(until: nextCheck))
            guard count >= 0 || errno == EINTR else { return .protocolViolation("poll failed") }
            if polled[1].revents != 0 { isLogOpen = drainLog() }
            if polled[3].revents != 0 {
                var value: UInt64 = 0
                _ = Glibc.read(wake.descriptor, &value, MemoryLayout<UInt64>.size)
                // A new request is pending. Most are answered before they can exceed a budget.
                let soon = ContinuousClock.now + .seconds(Self.shortestInterval)
                // The last check does not apply to a new budget.
                if takeNewBudget() { latestCheck = soon }
                nextCheck = min(nextCheck, max(soon, latestCheck))
            }
            if polled[0].revents != 0 {
                switch receive(&phases) {
                case .message: break
                case .end: return endOfStream()
                case .violation(let detail): return .protocolViolation(detail)
                }
            } else if polled[2].revents != 0 {
                return nil
            }
            if let cause = reasonToKill() { return cause }
            let now = ContinuousClock.now
            guard nextCheck <= now else { continue }
            switch checkBudget() {
            case .exceeded(let part): return .exceeded(part)
            case .withinLimits(let interval):
                // Checks take at most a twentieth of the time.
                nextCheck = .now + max(interval, min((.now - now) * 20, .seconds(1)))
                latestCheck = min(nextCheck, now + Self.watchIntervals.busy)
            }
        }
    }

    /// Returns the milliseconds until the first deadline or the next check, or -1 for no timeout. Extensions can have
    /// threads that run without a request, so idle runners are checked too.
    private func timeout(until check: ContinuousClock.Instant) -> Int32 {
        let (first, isWatched) = state.withLock { state in
            (state.pending.values.compactMap(\.deadline).min(), state.budget != nil)
        }
        guard let next = [first, isWatched ? check : nil].compactMap({ $0 }).min() else {
            return -1
        }
        let (seconds, attoseconds) = (next - .now).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        return Int32(max(0, min(milliseconds, 3_600_000)))
    }

    private func reasonToKill() -> RunnerDeath.Cause? {
        state.withLock { state in
            if let cause = state.requestedTermination { return cause }
            let now = ContinuousClock.now
            return state.pending.values.first { $0.deadline.map { $0 <= now } ?? false }
                .map { .timeout($0.allowed) }
        }
    }

    /// Returns whether the budget has been replaced since the last call.
    private func takeNewBudget() -> Bool {
        state.withLock { state in
            defer { state.isBudgetNew = false }
            return state.isBudgetNew
        }
    }

    private enum Received {
        case message, end
        case violation(String)
    }

    private func receive(_ phases: inout PhaseCache) -> Received {
        var buffer = [UInt8](repeating: 0, count: RunnerPacket.maximumLength + 1)
        var count: Int32 = 0
        let length = csandbox_receive(control.descriptor, &buffer, buffer.count, nil, &count)
        if length < 0 {
            if errno == ECONNRESET { return .end }
            return .violation("a packet is too large or carries descriptors")
        }
        if length == 0 { return .end }
        let packet = Data(buffer[..<length])
        if let phase = phases[packet] { return note(.phase(phase)) }
        do {
            let message = try ReceivedMessage(packet: packet) { number in
                state.withLock { $0.pending[number]?.outbox }
            }
            if message.number == 0, case .phase(let phase) = message.reply {
                phases.add(phase, in: packet)
            }
            return message.number == 0
                ? note(message.reply) : answer(message.number, message.reply)
        } catch {
            return .violation(error.message)
        }
    }

    private func note(_ reply: RunnerReply) -> Received {
        switch reply {
        case .phase(let phase):
            state.withLock { $0.phase = phase }
        case .log(let line):
            let (unended, lines, source) = state.withLock { state in
                (state.log.takeRest(), state.log.note(line), author(state))
            }
            if let unended { report(unended, from: source) }
            for line in lines {
                if let outputHandler { outputHandler(line) } else { logger.info("\(line)") }
            }
        case .progress(let fraction):
            observer?.runner(self, didProgressTo: fraction)
        case .inputNeeded:
            observer?.runnerNeedsInput(self)
        case .placeholderNeeded:
            observer?.runnerNeedsPlaceholder(self)
        case .videoNeeded(let request):
            guard observer?.runner(self, requests: request) != false else {
                return .violation("it demanded video before the last demand was met")
            }
        case .ready:
            let (isFirst, pending) = state.withLock { state in
                defer { state.ready = state.ready ?? reply }
                return (state.ready == nil, state.pending.removeValue(forKey: Self.readyNumber))
            }
            guard isFirst else { return .violation("it reported twice that it is ready") }
            pending?.continuation.resume(returning: .success(reply))
        default:
            return .violation("an answer without a request")
        }
        return .message
    }

    private func answer(_ number: UInt32, _ reply: RunnerReply) -> Received {
        let pending = state.withLock { state in
            defer { if state.pending.isEmpty { state.phase = .idle } }
            return state.pending.removeValue(forKey: number)
        }
        guard let pending else { return .violation("an answer without a request") }
        pending.continuation.resume(returning: .success(reply))
        return .message
    }

    /// Reads the available log. Returns `false` at its end, when no process can write to it anymore.
    @discardableResult
    private func drainLog() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        // Bounded, so that a flood of output does not delay the deadlines.
        for _ in 0..<16 {
            let count = Glibc.read(log.descriptor, &buffer, buffer.count)
            guard count > 0 else { return count < 0 }
            let (lines, source) = state.withLock { state in
                (state.log.append(Data(buffer[..<count])), author(state))
            }
            for line in lines { report(line, from: source) }
        }
        return true
    }

    /// Reports a line that a runner printed.
    private func report(_ line: String, from source: String) {
        if let outputHandler { outputHandler(line) } else { logger.debug("\(source): \(line)") }
    }

    /// Returns the extension that most likely printed something, by the phase; otherwise the runner.
    private func author(_ state: State) -> String {
        switch state.phase {
        case .calling(let identifier, _), .loading(let identifier),
            .awaitingCompletion(let identifier):
            return identifier
        case .pixels(let identifiers) where !identifiers.isEmpty:
            return identifiers.joined(separator: ", ")
        case .idle, .decoding, .pixels:
            return state.loaded.isEmpty ? "runner \(pid)" : state.loaded.joined(separator: ", ")
        }
    }

    /// Handles a closed socket. The process is about to exit, or may only be pretending to.
    private func endOfStream() -> RunnerDeath.Cause? {
        var polled = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
        let isGone = poll(&polled, 1, 500) > 0
        return isGone ? nil : .protocolViolation("closed its socket but kept running")
    }

    private func finish(demanded: RunnerDeath.Cause?) {
        if demanded != nil, !isParent { _ = csandbox_kill(process.descriptor) }
        var signal: Int32 = 0
        var status: Int32 = 0
        var memory: Int64 = 0
        // Fails immediately if the runner is the parent of this process.
        _ = csandbox_reap(process.descriptor, 1, &signal, &status, &memory)
        drainLog()
        let (unended, source) = state.withLock { ($0.log.takeRest(), author($0)) }
        if let unended { report(unended, from: source) }
        let own: RunnerDeath.Cause =
            signal != 0
            ? .signal(String(cString: csandbox_signal_name(signal))) : .exit(Int(status))
        let peak = peakMemory(atEnd: UInt64(max(0, memory)))
        folder.remove()
        let (pending, watchers, death) = state.withLock { state in
            let death = RunnerDeath(
                cause: demanded ?? own, phase: state.phase, log: state.log.text,
                budget: state.budget, peakMemory: peak)
            state.death = death
            defer { (state.pending, state.watchers) = ([:], []) }
            return (Array(state.pending.values), state.watchers, death)
        }
        for pending in pending { pending.continuation.resume(returning: .failure(death)) }
        for watcher in watchers { watcher.resume() }
    }
}

/// The decoded packets that report a phase. The same few repeat with every frame of a video.
private struct PhaseCache {
    private var phases: [Data: RunnerPhase] = [:]
    /// Limits, because the sender is untrusted.
    private static let (maximumCount, maximumLength) = (64, 1 << 10)

    subscript(packet: Data) -> RunnerPhase? {
        packet.count <= Self.maximumLength ? phases[packet] : nil
    }

    mutating func add(_ phase: RunnerPhase, in packet: Data) {
        guard packet.count <= Self.maximumLength else { return }
        if phases.count >= Self.maximumCount { phases = [:] }
        phases[packet] = phase
    }
}
