// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import Logging
import RunnerHost
import RunnerProtocol
import Synchronization

/// The host: finds extensions, manages runners, and executes commands on libraries.
///
/// Call ``shutDown()`` when it is no longer needed. Otherwise the runners are killed some time
/// after the last reference to the host is released.
public final class ExtensionHost: Sendable {
    /// The configuration that the host was created with.
    public let configuration: HostConfiguration
    /// The installed extensions.
    package let extensions: ExtensionStore
    /// The extensions that are disabled after failures.
    package let quarantine: Quarantine
    /// The results of the reproducibility tests of extensions.
    let reproducibility: Reproducibility
    let pool: RunnerPool
    /// The memory limit for concurrent renders of edits and exports; nil for no limit.
    private let memory: MemoryBudget?
    let inputRequests = ContentEditingInputRequests()
    let editingSessions: EditingSessions
    let logger: Logger

    /// Creates a host. Runners are started lazily.
    public init(
        _ configuration: HostConfiguration, logger: Logger = Logger(label: "edithost")
    ) {
        self.logger = logger
        self.configuration = configuration
        memory = configuration.memoryLimit.map { MemoryBudget(limit: $0) }
        editingSessions = EditingSessions(limit: configuration.editingSessionLimit)
        let folder = configuration.configurationFolder
        quarantine = Quarantine(folder: folder, logger: logger)
        reproducibility = Reproducibility(
            folder: folder, isAssumed: !configuration.checksReproducibility, logger: logger)
        extensions = ExtensionStore(
            catalogue: ExtensionCatalogue(searching: configuration.extensionFolders),
            trust: ExtensionTrust(
                shippedFile: configuration.shippedTrustFile, folder: folder),
            quarantine: quarantine)
        pool = RunnerPool(
            RunnerSettings(configuration), mediaExecutable: configuration.mediaRunnerExecutable,
            quarantine: quarantine, logger: logger)
    }

    /// Calls a closure that renders an asset once there is memory for its pictures.
    func withMemory<Value: Sendable>(
        for identifier: String, in library: PhotoLibrary,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let memory else { return try await body() }
        let bytes = (try? library.history(ofAsset: identifier).renderingMemory) ?? 0
        return try await memory.using(bytes) { () -> Result<Value, any Error> in
            do { return .success(try await body()) } catch { return .failure(error) }
        }.get()
    }

    /// Cancels requests for inputs and editing sessions, terminates the runners, and waits until
    /// they have exited.
    public func shutDown() async {
        inputRequests.cancelAll()
        await editingSessions.cancelAll()
        await pool.shutDown()
    }
}

extension RunnerSettings {
    /// The settings of the runners that open pictures.
    fileprivate init(_ configuration: HostConfiguration) {
        self.init(
            executable: configuration.runnerExecutable, limit: configuration.runnerLimit,
            threads: configuration.threadsPerRunner, isSandboxed: configuration.sandbox != .off,
            timeouts: configuration.timeouts, budgets: configuration.budgets,
            executor: WaitingThread.executor)
        outputHandler = configuration.outputHandler
        debuggerHandler = configuration.debuggerHandler
        parent = configuration.parent
    }
}

extension ExtensionHost {
    private static let theShared = Mutex<ExtensionHost?>(nil)

    /// The shared host of this process, configured like the command line: with the runner and the extensions
    /// beside this program or in the standard locations. Created on first use.
    /// Call ``shutDown()`` before the program exits.
    ///
    /// - Throws: `HostError` with `badConfiguration`. The next call retries.
    public static var shared: ExtensionHost {
        get throws {
            try theShared.withLock { shared in
                if let shared { return shared }
                let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
                var configuration = HostConfiguration.standard(
                    executable: program, environment: ProcessInfo.processInfo.environment)
                try configuration.readConfigurationFile()
                let host = ExtensionHost(configuration)
                shared = host
                return host
            }
        }
    }

    /// The shared host, or nil if it has not been created.
    static var sharedIfThere: ExtensionHost? { theShared.withLock { $0 } }
}

extension ExtensionHost {
    /// Returns the libvips version and the sandbox of the runners. Starts a runner if none has
    /// been started yet.
    ///
    /// - Throws: `HostError` with `runnerUnavailable` or `sandboxUnavailable`.
    package func runnerFacts() async throws -> RunnerFacts { try await pool.facts() }

    /// Returns the same facts for the runners that open videos, or nil if the media runner is not installed.
    ///
    /// - Throws: `HostError` with `runnerUnavailable` or `sandboxUnavailable`.
    package func mediaRunnerFacts() async throws -> RunnerFacts? { try await pool.media?.facts() }

    /// The number of pictures that the runners have decoded.
    package var decodes: DecodeTotals.Counts { pool.decodes.counts }

    /// The number of editing sessions that are open or being opened.
    package var openEditingSessions: Int { editingSessions.count }

    /// Decodes a picture completely and returns its facts, for an `AssetCreationRequest` of several files.
    ///
    /// - Throws: `HostError` with `noSuchFile`, `fileFailed`, `badInput`, `blockedFormat` or
    ///   `runnerFailed`.
    public func photoFacts(ofFileAt path: String) async throws -> PhotoFacts {
        try await pool.photoFacts(of: OpenFile.reading(path), named: path)
    }
}
