// SPDX-License-Identifier: Apache-2.0

/// Whether the runners of a host are kept from doing harm.
public enum SandboxMode: Sendable {
    /// A runner that cannot have every layer of its sandbox is not used.
    case required
    /// Runners can do what their user can: only for extensions that one would run anyway.
    case off
}
