// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import Library
import Logging
import RunnerProtocol
import Synchronization

/// The host: it finds extensions, lends runners, and carries out what users ask of a library.
///
/// Each verb is a method, in a file of its own. Call ``shutDown()`` at the end: without it the runners are killed some time
/// after nobody has the host any more.
public final class ExtensionHost: Sendable {
    /// What it was made with.
    public let configuration: HostConfiguration
    /// The extensions.
    package let extensions: ExtensionStore
    /// Extensions that failed.
    package let quarantine: Quarantine
    /// Which extensions draw the same again.
    let reproducibility: Reproducibility
    let pool: RunnerPool
    let inputRequests = ContentEditingInputRequests()
    let editingSessions: EditingSessions
    let logger: Logger

    /// Makes a host. Nothing is started before it is needed.
    public init(
        _ configuration: HostConfiguration, logger: Logger = Logger(label: "edithost")
    ) {
        self.logger = logger
        self.configuration = configuration
        editingSessions = EditingSessions(limit: configuration.editingSessionLimit)
        let folder = configuration.configurationFolder
        quarantine = Quarantine(file: folder.map { "\($0)/quarantine.json" }, logger: logger)
        reproducibility = Reproducibility(
            folder: folder, isAssumed: !configuration.checksReproducibility, logger: logger)
        extensions = ExtensionStore(
            catalogue: ExtensionCatalogue(searching: configuration.extensionFolders),
            trust: ExtensionTrust(
                shippedFile: configuration.shippedTrustFile,
                userFile: folder.map { "\($0)/trusted.sha256" },
                readersFile: folder.map { "\($0)/original-readers.sha256" }),
            quarantine: quarantine)
        pool = RunnerPool(configuration, quarantine: quarantine, logger: logger)
    }

    /// Cancels the requests for inputs and the editing sessions, ends the runners and waits until
    /// they are gone.
    public func shutDown() async {
        inputRequests.cancelAll()
        await editingSessions.cancelAll()
        await pool.shutDown()
    }
}

extension ExtensionHost {
    private static let theShared = Mutex<ExtensionHost?>(nil)

    /// The host of this process for those who need no other: configured as the command line's, with
    /// the runner and the extensions that lie beside this program or in the usual places. Made once.
    /// End its runners with ``shutDown()`` when the program ends.
    ///
    /// - Throws: `HostError` with `badConfiguration`; the next call tries again.
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

    /// The shared host, if anybody has asked for it.
    static var sharedIfThere: ExtensionHost? { theShared.withLock { $0 } }
}

extension ExtensionHost {
    /// What the runners say of themselves: their libvips, and the sandbox they are in. Starts one
    /// where none has run yet.
    ///
    /// - Throws: `HostError` with `runnerUnavailable` or `sandboxUnavailable`.
    package func runnerFacts() async throws -> RunnerFacts { try await pool.facts() }

    /// What the runners that open videos say of themselves; nil where their program is not installed.
    ///
    /// - Throws: `HostError` with `runnerUnavailable` or `sandboxUnavailable`.
    package func mediaRunnerFacts() async throws -> RunnerFacts? { try await pool.media?.facts() }

    /// How often the runners have decoded pictures.
    package var decodes: DecodeTotals.Counts { pool.decodes.counts }

    /// How many editing sessions are open.
    package var openEditingSessions: Int { editingSessions.count }

    /// Decodes a picture fully, and says what it is: for an `AssetCreationRequest` of several files.
    ///
    /// - Throws: `HostError` with `noSuchFile`, `fileFailed`, `badInput`, `blockedFormat` or
    ///   `runnerFailed`.
    public func photoFacts(ofFileAt path: String) async throws -> PhotoFacts {
        try await pool.photoFacts(of: OpenFile.reading(path), named: path)
    }
}
