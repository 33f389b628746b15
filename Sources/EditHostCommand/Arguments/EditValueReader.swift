// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

/// Reads the parameter values of edits, with one host for all photos. The host is started for the first edit.
final class EditValueReader {
    private let general: GeneralOptions
    private let library: PhotoLibrary
    private var host: ExtensionHost?

    init(_ general: GeneralOptions, _ library: PhotoLibrary) {
        (self.general, self.library) = (general, library)
    }

    /// Returns the parameter values of edits, keyed by edit identifier. If no extension can run, they contain
    /// the reason.
    func values(of edits: [Edit], of history: AssetHistory) async throws -> [String: EditValues] {
        guard !edits.isEmpty else { return [:] }
        do {
            return try await startedHost().values(of: edits, of: history, in: library)
        } catch let error as HostError {
            return Dictionary(
                edits.map { ($0.identifier, EditValues.unknown(error.message)) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    private func startedHost() throws -> ExtensionHost {
        if let host { return host }
        let host = ExtensionHost(try general.configuration(jobs: 1), logger: general.logger)
        self.host = host
        return host
    }

    /// Shuts down the runners.
    func end() async { await host?.shutDown() }
}
