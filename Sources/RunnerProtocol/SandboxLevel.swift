// SPDX-License-Identifier: Apache-2.0

/// The sandbox with which a runner must start.
package enum SandboxLevel: String, Codable, Sendable {
    /// All required layers of the sandbox; otherwise the runner exits.
    case complete
    /// The available layers, as reported by its ``RunnerFacts``.
    case bestEffort = "best-effort"
    /// No sandbox and no limits, at the user's request.
    case none
}
