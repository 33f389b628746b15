// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension ExtensionHost {
    /// What the runners say of themselves: their libvips, and the sandbox they are in. Starts one
    /// where none has run yet.
    ///
    /// - Throws: `HostError` with `runnerUnavailable` or `sandboxUnavailable`.
    public func runnerFacts() async throws -> RunnerFacts { try await pool.facts() }
}
