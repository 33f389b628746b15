// SPDX-License-Identifier: Apache-2.0

/// What keeps a runner from doing harm, as the kernel reports it.
public struct SandboxFacts: Codable, Hashable, Sendable {
    /// The version of Landlock in force, from 1; 0: none.
    public var landlockABI: Int
    /// Whether a filter of system calls is in force (seccomp mode 2).
    public var seccomp: Bool
    /// Whether the process can gain no privileges.
    public var noNewPrivileges: Bool
    /// The namespaces of its own: `user`, `network`, `ipc`.
    public var namespaces: [String]
    /// The most memory it may have, in bytes: address space, code and mapped files included.
    public var addressSpace: UInt64
    /// The longest file it may write, in bytes.
    public var fileSize: UInt64
    /// The most descriptors it may have open.
    public var openFiles: UInt64
    /// The most threads it may have, where the kernel counts its alone, in its user namespace;
    /// nil: the host watches.
    public var threads: UInt64?

    /// The layers that are required and not in force, by name.
    public var missingLayers: [String] {
        var missing: [String] = []
        if landlockABI < 1 { missing.append("Landlock") }
        if !seccomp { missing.append("seccomp") }
        if !noNewPrivileges { missing.append("no new privileges") }
        return missing
    }

    /// The namespaces that it could have and has not, by name.
    public var missingNamespaces: [String] {
        Self.namespaceNames.filter { !namespaces.contains($0) }
    }

    /// The namespaces that a runner asks for.
    public static let namespaceNames = ["user", "network", "ipc"]

    /// Whether every layer that is required is in force.
    public var isComplete: Bool { missingLayers.isEmpty }

    /// Makes facts.
    public init(
        landlockABI: Int, seccomp: Bool, noNewPrivileges: Bool, namespaces: [String] = [],
        addressSpace: UInt64, fileSize: UInt64, openFiles: UInt64, threads: UInt64? = nil
    ) {
        self.landlockABI = landlockABI
        self.seccomp = seccomp
        self.noNewPrivileges = noNewPrivileges
        self.namespaces = namespaces
        self.addressSpace = addressSpace
        self.fileSize = fileSize
        self.openFiles = openFiles
        self.threads = threads
    }
}
