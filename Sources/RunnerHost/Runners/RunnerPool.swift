// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Logging
import RunnerProtocol

/// The runners of a host, reused between jobs.
///
/// At most ``limit`` runners work concurrently; further jobs wait. A runner that has loaded extensions serves jobs
/// with those extensions, and a job without extensions gets a runner that has loaded none.
package actor RunnerPool {
    private struct Member {
        let runner: Runner
        /// The digests of the loaded extensions, by their identifiers.
        var loaded: [String: SHA256Digest] = [:]
    }

    // The actor does not run on the threads of the Swift runtime, because all of those may be blocked in change blocks
    // that wait for runners.
    private let executor = SerialQueueExecutor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    private let settings: RunnerSettings
    private let limit: Int
    package nonisolated let quarantine: Quarantine
    package nonisolated let buffers = PixelBuffers()
    /// Serialises the rendering of videos.
    package nonisolated let videoLock = AsyncLock()
    /// Serialises the conversion of videos for browsers, which must not delay an edit.
    package nonisolated let conversionLock = AsyncLock()
    package nonisolated let decodes = DecodeTotals()
    /// The runners that open videos; `nil` if their executable is not installed.
    package nonisolated let media: RunnerPool?
    private let logger: Logger
    private var knownFacts: RunnerFacts?
    private var idle: [Member] = []
    private var inUse = 0
    private var warming: [Task<Member, any Error>] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var sessions = 0
    private var waitingSessions: [CheckedContinuation<Void, Never>] = []

    /// - Parameter mediaExecutable: The path of the program that opens videos; `nil` if it is not installed.
    package init(
        _ settings: RunnerSettings, mediaExecutable: String?, quarantine: Quarantine,
        logger: Logger
    ) {
        self.settings = settings
        self.quarantine = quarantine
        self.logger = logger
        media = mediaExecutable.map { path in
            var settings = settings
            settings.executable = path
            return RunnerPool(
                settings, mediaExecutable: nil, quarantine: quarantine, logger: logger)
        }
        // Some sessions temporarily need a second runner that does not count. They share, in sequence, one runner that
        // is not available to sessions.
        limit = max(1, settings.limit) + 1
    }

    /// Idle runners would otherwise live as long as this process.
    deinit {
        for member in idle { member.runner.process.terminate() }
        for task in warming {
            Task(executorPreference: settings.executor) {
                (try? await task.value)?.runner.process.terminate()
            }
        }
    }

    /// Lends a runner that has loaded these extensions: any number of trusted ones, or one untrusted extension.
    ///
    /// - Parameter isSecond: Whether the caller already has a runner, which counts for both because they do one job.
    /// - Throws: `HostError`, or errors thrown by `body`.
    package func withRunner<Value: Sendable>(
        loading extensions: [ExtensionBinary] = [], isSecond: Bool = false,
        _ body: @Sendable (Runner) async throws -> Value
    ) async throws -> Value {
        let lease = try await lend(loading: extensions, as: isSecond ? .second : .job)
        do {
            let value = try await body(lease.runner)
            await end(lease)
            return value
        } catch {
            await end(lease)
            throw error
        }
    }

    /// A runner on loan, to be returned with ``end(_:)``.
    package struct Lease: Sendable {
        package let runner: Runner
        fileprivate var kind = Kind.job
        fileprivate let loaded: [String: SHA256Digest]

        fileprivate enum Kind: Sendable {
            /// Returned without waiting for another runner.
            case job
            /// May wait for another runner before it is returned.
            case session
            /// Returned when the user decides. Does not count towards the limit.
            case openEnded
            /// Used together with another runner, which counts for both.
            case second

            /// Whether the lease counts towards the limit of the pool.
            var counts: Bool { self == .job || self == .session }
        }
    }

    /// Lends a runner to a session, which may need another runner before it returns this one. One runner is always kept
    /// for that purpose: if all were lent to sessions, the sessions could deadlock.
    ///
    /// - Parameter isOpenEnded: Whether the time of return is unknown. Such a runner is lent immediately, beyond the
    ///   limit, so that no job waits for it. The caller bounds their number.
    /// - Throws: `HostError`.
    package func lendToSession(
        loading extensions: [ExtensionBinary], isOpenEnded: Bool = false
    ) async throws -> Lease {
        if isOpenEnded { return try await lend(loading: extensions, as: .openEnded) }
        while sessions >= limit - 1 {
            await withCheckedContinuation { waitingSessions.append($0) }
        }
        sessions += 1
        do {
            return try await lend(loading: extensions, as: .session)
        } catch {
            endSession()
            throw error
        }
    }

    private func endSession() {
        sessions -= 1
        if !waitingSessions.isEmpty { waitingSessions.removeFirst().resume() }
    }

    private func lend(
        loading extensions: [ExtensionBinary], as kind: Lease.Kind = .job
    ) async throws -> Lease {
        if extensions.count > 1, let alone = extensions.first(where: { !$0.isTrusted }) {
            throw HostError(
                .runnerFailed, "untrusted extensions need a runner of their own",
                extension: alone.manifest.identifier)
        }
        if kind.counts {
            while inUse >= limit {
                await withCheckedContinuation { waiting.append($0) }
            }
            inUse += 1
        }
        do {
            let existing = takeIdle(for: extensions)
            var member = if let existing { existing } else { try await warmOrNew(for: extensions) }
            let identifiers = extensions.map(\.manifest.identifier) + member.loaded.keys
            member.runner.beginLease(for: extensions.first?.servedLibrary)
            member.runner.process.setBudget(settings.budgets.budget(for: identifiers))
            for binary in extensions where member.loaded[binary.manifest.identifier] == nil {
                if let handler = settings.debuggerHandler {
                    member.runner.process.stop()
                    handler(member.runner.process.pid)
                }
                do {
                    try await member.runner.load(binary)
                } catch {
                    member.runner.process.terminate()
                    throw error
                }
                member.loaded[binary.manifest.identifier] = binary.digest
            }
            return Lease(runner: member.runner, kind: kind, loaded: member.loaded)
        } catch {
            if kind.counts { releaseSlot() }
            throw error
        }
    }

    package func end(_ lease: Lease) async {
        let process = lease.runner.process
        let isOneTooMany = lease.kind == .openEnded && idle.count >= limit
        if process.isAlive, isOneTooMany || process.holdsTooMuchMemory {
            await process.shutDown()
        } else if process.isAlive {
            idle.append(Member(runner: lease.runner, loaded: lease.loaded))
        }
        if lease.kind.counts { releaseSlot() }
        if lease.kind == .session { endSession() }
    }

    private func releaseSlot() {
        inUse -= 1
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }

    /// Starts runners before the first job, concurrently with the host's own preparations.
    package func warmUp(_ count: Int = 1) {
        while warming.count + idle.count + inUse < min(count, limit) {
            warming.append(
                Task(executorPreference: settings.executor) {
                    try await self.start(for: [])
                })
        }
    }

    private func warmOrNew(for extensions: [ExtensionBinary]) async throws -> Member {
        guard !warming.isEmpty, parent(for: extensions) == nil else {
            return try await start(for: extensions)
        }
        let member = try await warming.removeFirst().value
        guard !canHold(member, extensions) else { return member }
        idle.append(member)
        return try await start(for: extensions)
    }

    /// Returns the sandbox level that these extensions need. For decoding, encoding and trusted extensions, the
    /// available layers suffice.
    private func level(for extensions: [ExtensionBinary]) -> SandboxLevel {
        if !settings.isSandboxed { return .none }
        return extensions.allSatisfy(\.isTrusted) ? .bestEffort : .complete
    }

    /// Whether the sandbox of a runner suffices for these extensions.
    private func canHold(_ member: Member, _ extensions: [ExtensionBinary]) -> Bool {
        level(for: extensions) != .complete
            || member.runner.process.facts?.sandbox.isComplete == true
    }

    private func start(for extensions: [ExtensionBinary]) async throws -> Member {
        // More runners than the limit are kept, because an edit stack may need several kinds in turn.
        while idle.count + inUse > 2 * limit, !idle.isEmpty {
            await idle.removeFirst().runner.process.shutDown()
        }
        let process = try await RunnerProcess.start(
            executable: settings.executable, threads: max(1, settings.threads),
            sandbox: level(for: extensions), limits: settings.budgets.limits,
            timeouts: settings.timeouts, logger: logger, outputHandler: settings.outputHandler,
            isDebuggable: settings.debuggerHandler != nil, parent: parent(for: extensions))
        knownFacts = process.facts
        return Member(
            runner: Runner(
                process: process, timeouts: settings.timeouts, quarantine: quarantine,
                buffers: buffers, decodes: decodes, executor: settings.executor))
    }

    /// Returns the process that loads these extensions, if it is the parent of this process.
    private func parent(for extensions: [ExtensionBinary]) -> RunnerParent? {
        extensions.isEmpty ? nil : settings.parent
    }

    private func takeIdle(for extensions: [ExtensionBinary]) -> Member? {
        idle.removeAll { !$0.runner.process.isAlive }
        let requested = Dictionary(
            extensions.map { ($0.manifest.identifier, $0.digest) },
            uniquingKeysWith: { first, _ in first })
        let index =
            idle.firstIndex { $0.loaded == requested && canHold($0, extensions) }
            ?? (requested.isEmpty || settings.parent != nil
                ? nil
                : idle.firstIndex { Self.canServe($0, requested) && canHold($0, extensions) })
        return index.map { idle.remove(at: $0) }
    }

    /// Whether the requested extensions include all those that a runner has loaded.
    private static func canServe(_ member: Member, _ requested: [String: SHA256Digest]) -> Bool {
        member.loaded.allSatisfy { requested[$0.key] == $0.value }
    }

    /// Returns the facts that a runner reports about itself. Starts a runner if none has run yet.
    ///
    /// - Throws: `HostError` with `runnerUnavailable` or `sandboxUnavailable`.
    package func facts() async throws -> RunnerFacts {
        if let knownFacts { return knownFacts }
        let lease = try await lend(loading: [])
        let facts = lease.runner.process.facts
        await end(lease)
        guard let facts else {
            throw HostError(.runnerUnavailable, "the runner did not report its version")
        }
        return facts
    }

    /// Shuts down all idle runners and waits until they are gone.
    package func shutDown() async {
        var members = idle
        let started = warming
        (idle, warming) = ([], [])
        for task in started {
            if let member = try? await task.value { members.append(member) }
        }
        await withTaskGroup { group in
            for member in members { group.addTask { await member.runner.process.shutDown() } }
            if let media { group.addTask { await media.shutDown() } }
        }
    }
}
