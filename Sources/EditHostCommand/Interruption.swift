// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditHost
import Glibc
import JSONOutput
import Synchronization

/// Cancels work on SIGINT (Ctrl-C), SIGTERM and SIGHUP.
///
/// Committed changes are kept, and active runners are killed. If the extension of an edit requests it, the user
/// is first asked for confirmation at the terminal. A second Ctrl-C confirms.
final class Interruption: Sendable {
    private enum Phase {
        case running
        /// Waiting for the extension's decision whether to ask the user.
        case deciding
        /// Waiting for the user's answer.
        case asking
        /// No further work starts; running work has a grace period.
        case finishing
        case cancelled
    }

    private let phase = Mutex(Phase.running)
    private let answered = DispatchSemaphore(value: 0)
    private let cancellation: EditCancellation?
    private let stop: WorkStop?
    private let work = Mutex<(@Sendable () -> Void)?>(nil)

    /// The time in seconds that running work has after a stop was requested.
    private static let grace = 20.0

    /// Creates an interruption for an edit started with `cancellation`, or for other work if it is `nil`.
    init(cancelling cancellation: EditCancellation? = nil) {
        self.cancellation = cancellation
        stop = nil
    }

    /// Creates an interruption that first requests a stop. The work is cancelled by a second signal, or after 20
    /// seconds.
    init(requesting stop: WorkStop) {
        self.stop = stop
        cancellation = nil
    }

    /// Runs work that is cancelled by signals.
    ///
    /// - Throws: The errors of the work; `CancellationError` if it failed after a cancellation.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await body() }
        work.withLock { $0 = { task.cancel() } }
        let sources = [SIGINT, SIGTERM, SIGHUP].compactMap(watch)
        defer {
            for (number, handler, source) in sources {
                source.cancel()
                signal(number, handler)
            }
        }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw isCancelled ? CancellationError() : error
        }
    }

    /// `true` while no interruption has occurred and no question is pending.
    var isQuiet: Bool { phase.withLock { $0 == .running } }

    private var isCancelled: Bool { phase.withLock { $0 == .cancelled } }

    /// Handles a signal, unless it was already ignored when the program was started, for example by `nohup`.
    private func watch(
        _ number: Int32
    ) -> (Int32, __sighandler_t?, any DispatchSourceSignal)? {
        let before = signal(number, SIG_IGN)
        if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            return nil
        }
        // A dedicated queue is never starved by work that occupies all threads of the shared pool.
        let source = DispatchSource.makeSignalSource(
            signal: number, queue: DispatchQueue(label: "signals"))
        source.setEventHandler { [self] in receive(number) }
        source.activate()
        return (number, before, source)
    }

    /// The number of the last signal that was received; 0 if there was none.
    private static let received = Atomic<Int32>(0)

    /// Ends the program by the signal that cancelled it, so that a shell stops a script after Ctrl-C. Returns if there
    /// was no signal.
    static func endBySignal() {
        let number = received.load(ordering: .relaxed)
        guard number != 0 else { return }
        signal(number, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // The first process of a container is not ended by a signal.
        _exit(128 + number)
    }

    private func receive(_ number: Int32) {
        Self.received.store(number, ordering: .relaxed)
        let before = phase.withLock { phase in
            defer {
                switch phase {
                case .running: phase = stop == nil ? .deciding : .finishing
                case .asking, .finishing: phase = .cancelled
                case .deciding, .cancelled: break
                }
            }
            return phase
        }
        switch before {
        case .running:
            if let stop { return finish(stop) }
            // Blocking work may occupy all threads, so a task is started only if an extension must be asked.
            guard cancellation != nil else { return cancel() }
            Task { await decide(mayAsk: number == SIGINT) }
        case .deciding: break
        case .asking, .finishing: cancel()
        // A further signal exits without waiting. The runners end with the program.
        case .cancelled:
            if stop == nil { Self.endBySignal() }
            _exit(ExitStatus.tryAgain.rawValue)
        }
    }

    /// Starts the grace period of running work.
    private func finish(_ stop: WorkStop) {
        stop.request()
        DispatchQueue(label: "grace").asyncAfter(deadline: .now() + Self.grace) { [self] in
            if phase.withLock({ $0 == .finishing }) { cancel() }
        }
    }

    private func decide(mayAsk: Bool) async {
        guard mayAsk, TerminalQuestion.canBeAsked, let cancellation,
            await cancellation.shouldShowCancelConfirmation()
        else {
            cancel()
            return
        }
        phase.withLock { $0 = .asking }
        TerminalQuestion.askToCancel { [self] wantsToCancel in
            if wantsToCancel { cancel() } else { resume() }
        }
    }

    private func cancel() {
        phase.withLock { $0 = .cancelled }
        answered.signal()
        guard let cancellation else {
            work.withLock { $0 }?()
            return
        }
        Task {
            await cancellation.cancel()
            work.withLock { $0 }?()
        }
    }

    private func resume() {
        let wasAsking = phase.withLock { phase in
            guard phase == .asking else { return false }
            phase = .running
            return true
        }
        if wasAsking { answered.signal() }
    }

    /// Waits for a pending answer, then returns if the change may be committed.
    ///
    /// - Throws: `HostError` with the code `cancelled`.
    func allowCommit() throws {
        while true {
            switch phase.withLock({ $0 }) {
            case .running, .finishing: return
            case .asking: answered.wait()
            case .deciding, .cancelled:
                throw HostError(.cancelled, "the edit was cancelled; nothing was committed")
            }
        }
    }
}
