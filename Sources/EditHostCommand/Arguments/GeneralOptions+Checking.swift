// SPDX-License-Identifier: Apache-2.0

import EditHost
import Library

extension GeneralOptions {
    /// Runs a check with a progress line. Signals cancel it.
    func checking<Report: Sendable>(
        _ verb: String,
        _ body:
            @escaping @Sendable (
                ExtensionHost, @escaping (CheckPhase, Int, Int) throws -> Void
            ) async throws -> Report
    ) async throws -> Report {
        let progress = output.progress
        progress.begin(verb)
        defer { progress.end() }
        return try await withHost(interruption: Interruption()) { host in
            try await body(host) { phase, done, total in
                try Task.checkCancellation()
                if phase == .videos, done == 1 { progress.begin("decoding videos", of: total) }
                progress.set(done, of: total)
            }
        }
    }
}
