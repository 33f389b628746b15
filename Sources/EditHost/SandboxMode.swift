// SPDX-License-Identifier: Apache-2.0

/// The sandboxing of a host's runners.
public enum SandboxMode: Sendable {
    /// A runner is used only if every layer of its sandbox is available.
    case required
    /// Runners have all permissions of the user. Use it only with extensions that you would run as programs.
    case off
}
