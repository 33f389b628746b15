// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditHost
import Foundation
import Glibc
import Synchronization

/// Turns Ctrl-C, and the signals that ask a program to end, into the cancellation of its work.
///
/// What is committed stays; the runners at work are killed. While an edit is under way whose
/// extension wants it, the user is asked first at the terminal; a second Ctrl-C answers yes.
final class Interruption: Sendable {
    private enum Phase {
        case running
        /// The extension is being asked whether the user has to be.
        case deciding
        /// The user is being asked.
        case asking
        case cancelled
    }

    private let phase = Mutex(Phase.running)
    private let answered = DispatchSemaphore(value: 0)
    private let cancellation: EditCancellation?
    private let work = Mutex<(@Sendable () -> Void)?>(nil)

    /// Makes one for an edit that is begun with `cancellation`, or for other work.
    init(cancelling cancellation: EditCancellation? = nil) { self.cancellation = cancellation }

    /// Runs work that signals cancel.
    ///
    /// - Throws: what the work throws; `CancellationError` where it was cancelled and failed.
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
            return try await task.value
        } catch {
            throw isCancelled ? CancellationError() : error
        }
    }

    /// Whether nobody has interrupted, or is being asked about it.
    var isQuiet: Bool { phase.withLock { $0 == .running } }

    private var isCancelled: Bool { phase.withLock { $0 == .cancelled } }

    /// A signal that whoever started the program wants ignored, as `nohup` does, is left alone.
    private func watch(
        _ number: Int32
    ) -> (Int32, __sighandler_t?, any DispatchSourceSignal)? {
        let before = signal(number, SIG_IGN)
        if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            return nil
        }
        // A queue of its own has a thread, also where work holds all of those that there are processors for.
        let source = DispatchSource.makeSignalSource(
            signal: number, queue: DispatchQueue(label: "signals"))
        source.setEventHandler { [self] in receive(number) }
        source.activate()
        return (number, before, source)
    }

    private func receive(_ number: Int32) {
        let before = phase.withLock { phase in
            defer {
                switch phase {
                case .running: phase = .deciding
                case .asking: phase = .cancelled
                case .deciding, .cancelled: break
                }
            }
            return phase
        }
        switch before {
        case .running:
            // Work that holds its thread leaves none for a task.
            guard cancellation != nil else { return cancel() }
            Task { await decide(mayAsk: number == SIGINT) }
        case .deciding: break
        case .asking: cancel()
        // Asked twice, the program does not wait for anybody. Runners end with it.
        case .cancelled: _exit(ExitStatus.interrupted.rawValue)
        }
    }

    private func decide(mayAsk: Bool) async {
        guard mayAsk, CancelQuestion.canBeAsked, let cancellation,
            await cancellation.shouldShowCancelConfirmation()
        else {
            cancel()
            return
        }
        phase.withLock { $0 = .asking }
        CancelQuestion.ask { [self] wantsToCancel in
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

    /// Lets a change be committed, once the user has answered; not after a cancellation.
    ///
    /// - Throws: `HostError` with `cancelled`.
    func allowCommit() throws {
        while true {
            switch phase.withLock({ $0 }) {
            case .running: return
            case .asking: answered.wait()
            case .deciding, .cancelled:
                throw HostError(.cancelled, "the edit was cancelled; nothing was committed")
            }
        }
    }
}

/// Asks at the terminal whether an edit is to be thrown away.
enum CancelQuestion {
    /// Whether there is somebody to ask.
    static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && StandardStream.error.isTerminal }

    /// Asks, on a thread of its own. No answer is a yes: the user has gone.
    static func ask(_ answer: @escaping @Sendable (_ wantsToCancel: Bool) -> Void) {
        let thread = Thread {
            StandardStream.error.write("\nDiscard the edit? [y/N] ")
            guard let line = readLine() else { return answer(true) }
            let isYes = ["y", "yes"].contains(line.lowercased().filter { !$0.isWhitespace })
            if !isYes { StandardStream.error.message("the edit continues") }
            answer(isYes)
        }
        thread.name = "question"
        thread.start()
    }
}
