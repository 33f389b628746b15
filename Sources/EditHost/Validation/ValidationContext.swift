// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Logging
import RunnerHost

/// The extension that is validated, and how the checks run it.
struct ValidationContext: Sendable {
    /// The path of the folder `Name.editingextension`.
    let folder: String
    /// The seed of random data.
    let seed: UInt64
    /// The manifest and library, which are read once.
    let binary: Result<ExtensionBinary, any Error>
    let configuration: HostConfiguration
    let logger: Logger

    /// The bytes of the manifest.
    var manifestBytes: Data {
        get throws {
            try ExtensionFolder(folder).file("manifest.json")
                .read(count: ExtensionManifest.maximumSize + 1)
        }
    }

    /// Calls a closure with the extension, which it can run in new processes. They are terminated afterwards.
    ///
    /// - Parameter change: Changes the configuration of the processes.
    func withExtension<Value: Sendable>(
        _ change: (inout HostConfiguration) -> Void = { _ in },
        _ body: (ValidatedExtension) async throws -> Value
    ) async throws -> Value {
        let log = ValidationLog()
        var own = configuration
        change(&own)
        own.outputHandler = { log.append($0) }
        let host = ExtensionHost(own, logger: logger)
        let result = await Result.capturing {
            try await body(ValidatedExtension(host: host, binary: try binary.get(), log: log))
        }
        await host.shutDown()
        return try result.get()
    }
}
