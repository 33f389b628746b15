// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Foundation
import Glibc
import Logging
import RunnerProtocol
import Synchronization

/// A runner process, with its socket and the thread that listens to it.
///
/// Every request has a timeout. A runner that exceeds it or breaks the protocol is killed and reaped. All pending
/// requests then fail with a `RunnerDeath`.
package final class RunnerProcess: Sendable {
    /// The outcome of a request: the reply with its number, or an error.
    typealias Answer = Result<RunnerReply, any Error>

    struct Pending {
        let continuation: CheckedContinuation<Answer, Never>
        /// `nil` while the runner waits for another one.
        var deadline: ContinuousClock.Instant?
        let allowed: Duration
        /// The time that was left when the deadline was suspended; `nil` means all of it.
        var rest: Duration?
        /// Whether the runner answers immediately, even while it waits for another runner. The deadline of such a
        /// request is not suspended.
        let isImmediate: Bool
        /// The memory for a reply that does not fit in a packet; `nil` if every reply fits.
        let outbox: OpenFile?
    }

    struct State {
        /// The unsolicited message that the runner sends at its start.
        var ready: RunnerReply?
        var nextNumber: UInt32 = 1
        var pending: [UInt32: Pending] = [:]
        /// The number of other runners that this one waits for.
        var awaited = 0
        var phase = RunnerPhase.idle
        /// The observer of the current edit.
        var observer: (any RunnerObserver)?
        var log = RunnerLog()
        /// The identifiers of the extensions that were loaded.
        var loaded: [String] = []
        var death: RunnerDeath?
        var requestedTermination: RunnerDeath.Cause?
        /// The budget of the current lease; `nil` for no limits.
        var budget: ExtensionBudget?
        /// Whether the budget has not been checked since it was set.
        var isBudgetNew = false
        /// The memory that the runner was given.
        var runnerMemory = RunnerMemory()
        /// The runner's peak memory in bytes at the last check of its budget.
        var checkedPeakMemory: UInt64 = 0
        /// The CPU time, in seconds since the start of the process, at which the kernel kills it.
        var processorLimit: Int64?
        /// The facts that the runner reported about itself; `nil` until it is ready.
        var facts: RunnerFacts?
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    /// The request number under which the start waits for `ready`.
    static let readyNumber: UInt32 = 0

    package let pid: pid_t
    /// Whether this process is a child of the runner, see ``RunnerParent``. The runner is then neither killed nor
    /// reaped.
    let isParent: Bool
    /// This process's peak memory in bytes when it had started the runner.
    let hostPeakMemory: UInt64
    /// Whether the runner has limits at all.
    let isLimited: Bool
    let folder: PrivateFolder
    let logger: Logger
    /// Called with each line of output of the runner and its extensions.
    let outputHandler: RunnerSettings.OutputHandler?
    let state = Mutex(State())
    let control: OpenFile
    let log: OpenFile
    let process: OpenFile
    let wake: OpenFile

    /// Starts a runner and waits until it is ready.
    ///
    /// - Throws: `HostError` with `runnerUnavailable` or `sandboxUnavailable`.
    static func start(
        executable: String, threads: Int, sandbox: SandboxLevel,
        limits: RunnerLimits = ExtensionBudgets().limits, timeouts: RunnerTimeouts,
        logger: Logger, outputHandler: RunnerSettings.OutputHandler? = nil,
        isDebuggable: Bool = false, parent: RunnerParent? = nil
    ) async throws -> RunnerProcess {
        var arguments = RunnerArguments(host: getpid(), sandbox: sandbox, limits: limits)
        arguments.isDebuggable = isDebuggable
        arguments.isParent = parent != nil
        let runner = try await spawn(
            executable: executable, threads: threads, arguments: arguments, logger: logger,
            outputHandler: outputHandler, parent: parent)
        do {
            let reply = try await runner.waitForReady(timeout: timeouts.start)
            guard case .ready(let facts) = reply,
                facts.protocolVersion == RunnerFacts.currentProtocol
            else {
                throw HostError(
                    .runnerUnavailable,
                    "\(executable) is not from this version of edithost; install both from the "
                        + "same release")
            }
            try runner.accept(facts.sandbox, for: sandbox)
            runner.state.withLock { $0.facts = facts }
            runner.setBudget(.codecs)
            return runner
        } catch let death as RunnerDeath {
            if let error = HostError(sandboxUnavailableIn: death) { throw error }
            let log = death.log.isEmpty ? "" : " It printed: \(death.log)"
            throw HostError(
                .runnerUnavailable, "the runner \(executable) \(death).\(log)", underlying: death)
        }
    }

    /// Checks that a runner has the required sandbox. Logs the missing layers if best effort is enough, and throws
    /// otherwise.
    private func accept(_ sandbox: SandboxFacts, for level: SandboxLevel) throws {
        guard level != .none, !sandbox.isComplete else { return }
        let missing = sandbox.missingLayers.joined(separator: ", ")
        guard level == .bestEffort else {
            terminate()
            throw HostError.sandboxUnavailable("the runner has no \(missing)")
        }
        logger.warning(
            """
            the sandbox is incomplete; pictures are opened without \(missing); run edithost \
            doctor to see what to enable
            """
        )
    }

    private static func spawn(
        executable: String, threads: Int, arguments: RunnerArguments, logger: Logger,
        outputHandler: RunnerSettings.OutputHandler?, parent: RunnerParent?
    ) async throws -> RunnerProcess {
        guard access(executable, X_OK) == 0 else {
            throw HostError(
                .runnerUnavailable,
                "the runner \(executable) is missing; install it next to the edithost program")
        }
        let folder = try PrivateFolder(for: .runner)
        let spawned = await SpawnThread.shared.run { () -> Result<RunnerProcess, HostError> in
            Result {
                try RunnerProcess(
                    executable: executable, threads: threads, arguments: arguments,
                    folder: folder, logger: logger, outputHandler: outputHandler,
                    parent: parent)
            }
            .mapError { error in
                error as? HostError
                    ?? HostError(.runnerUnavailable, "\(error)", underlying: error)
            }
        }
        let runner = try spawned.get()
        logger.debug("runner \(runner.pid) started")
        runner.listen()
        return runner
    }

    private init(
        executable: String, threads: Int, arguments: RunnerArguments, folder: PrivateFolder,
        logger: Logger, outputHandler: RunnerSettings.OutputHandler?, parent: RunnerParent?
    ) throws {
        let (near, childControl) = try parent.map { ($0.socket, nil) } ?? Self.socketPair()
        control = near
        var ends: [Int32] = [-1, -1]
        guard csandbox_log_pipe(&ends) == 0 else {
            throw HostError.file("cannot be created", path: "a pipe")
        }
        log = OpenFile(descriptor: ends[0])
        let childLog = OpenFile(descriptor: ends[1])
        let event = csandbox_event()
        guard event >= 0 else { throw HostError.file("cannot be created", path: "an event") }
        wake = OpenFile(descriptor: event)
        let words = [executable] + arguments.words
        let environment = Self.environment(threads: threads, folder: folder)
        if let childControl {
            (pid, process) = try Self.spawn(
                words, environment, control: childControl, log: childLog)
        } else {
            (pid, process) = try RunnerParent.start(words, environment, through: near)
        }
        isParent = parent != nil
        hostPeakMemory = ProcessStatus(pid: getpid())?.peakMemory ?? .max
        isLimited = arguments.sandbox != .none
        self.folder = folder
        self.logger = logger
        self.outputHandler = outputHandler
    }

    private static func socketPair() throws -> (OpenFile, OpenFile?) {
        var sockets: [Int32] = [-1, -1]
        guard csandbox_socket_pair(&sockets) == 0 else {
            throw HostError.file("cannot be created", path: "a socket pair")
        }
        return (OpenFile(descriptor: sockets[0]), OpenFile(descriptor: sockets[1]))
    }

    private static func spawn(
        _ words: [String], _ environment: [String], control: OpenFile, log: OpenFile
    ) throws -> (pid_t, OpenFile) {
        var pid: pid_t = 0
        var pidfd: Int32 = -1
        let spawned = withArguments(words) { arguments in
            withArguments(environment) { environment in
                csandbox_spawn(
                    words[0], arguments, environment, control.descriptor, log.descriptor, &pid,
                    &pidfd)
            }
        }
        guard spawned == 0 else {
            throw HostError.file("cannot be started", path: words[0])
        }
        return (pid, OpenFile(descriptor: pidfd))
    }

    /// Returns a minimal environment. No variable of the user's environment reaches an extension.
    private static func environment(threads: Int, folder: PrivateFolder) -> [String] {
        [
            "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/nonexistent",
            "TMPDIR=\(folder.path)", "\(RunnerArguments.folder)=\(folder.path)",
            // The threshold is above any memory budget, so that libvips never writes pixels to a temporary file.
            "VIPS_DISC_THRESHOLD=1000g", "VIPS_CONCURRENCY=\(threads)",
            "SWIFT_BACKTRACE=enable=no",
        ]
    }

    static func withArguments<Value>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return body(copies + [nil])
    }
}
