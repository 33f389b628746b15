// SPDX-License-Identifier: Apache-2.0

/// How a runner is started.
public enum SandboxLevel: String, Codable, Sendable {
    /// With every required layer of the sandbox, or not at all.
    case complete
    /// With the layers that can be had; its ``RunnerFacts`` tell which those are.
    case bestEffort = "best-effort"
    /// Without a sandbox and limits, because the user said so.
    case none
}
