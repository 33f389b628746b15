// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import Logging

/// The host: it finds extensions, lends runners, and carries out what users ask of a library.
///
/// Each verb is a method, in a file of its own. Call ``shutDown()`` at the end.
public final class ExtensionHost: Sendable {
    /// What it was made with.
    public let configuration: HostConfiguration
    /// The extensions.
    package let extensions: ExtensionStore
    /// Extensions that failed.
    package let quarantine: Quarantine
    let pool: RunnerPool
    let inputRequests = ContentEditingInputRequests()
    let logger: Logger

    /// Makes a host. Nothing is started before it is needed.
    public init(
        _ configuration: HostConfiguration, logger: Logger = Logger(label: "edithost")
    ) {
        self.logger = logger
        self.configuration = configuration
        let folder = configuration.configurationFolder
        quarantine = Quarantine(file: folder.map { "\($0)/quarantine.json" }, logger: logger)
        extensions = ExtensionStore(
            catalogue: ExtensionCatalogue(searching: configuration.extensionFolders),
            trust: ExtensionTrust(
                shippedFile: configuration.shippedTrustFile,
                userFile: folder.map { "\($0)/trusted.sha256" }),
            quarantine: quarantine)
        pool = RunnerPool(configuration, quarantine: quarantine, logger: logger)
    }

    /// Cancels the requests for inputs, ends the runners and waits until they are gone.
    public func shutDown() async {
        inputRequests.cancelAll()
        await pool.shutDown()
    }
}
