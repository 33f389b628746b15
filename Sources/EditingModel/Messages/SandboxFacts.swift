// SPDX-License-Identifier: Apache-2.0

/// What keeps a runner from doing harm, as the kernel reports it.
public struct SandboxFacts: Codable, Hashable, Sendable {
    /// The version of Landlock in force, from 1; 0: none.
    public var landlockABI: Int
    /// Whether a filter of system calls is in force (seccomp mode 2).
    public var seccomp: Bool
    /// Whether the process can gain no privileges.
    public var noNewPrivileges: Bool
    /// The namespaces of its own, such as `user`.
    public var namespaces: [String]
    /// The most memory it may have, in bytes: address space, code and mapped files included.
    public var addressSpace: UInt64
    /// The longest file it may write, in bytes.
    public var fileSize: UInt64
    /// The most descriptors it may have open.
    public var openFiles: UInt64

    /// Whether every layer that is required is in force.
    public var isComplete: Bool { landlockABI > 0 && seccomp && noNewPrivileges }

    /// Makes facts.
    public init(
        landlockABI: Int, seccomp: Bool, noNewPrivileges: Bool, namespaces: [String] = [],
        addressSpace: UInt64, fileSize: UInt64, openFiles: UInt64
    ) {
        self.landlockABI = landlockABI
        self.seccomp = seccomp
        self.noNewPrivileges = noNewPrivileges
        self.namespaces = namespaces
        self.addressSpace = addressSpace
        self.fileSize = fileSize
        self.openFiles = openFiles
    }
}
