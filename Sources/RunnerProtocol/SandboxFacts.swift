// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The sandbox of a runner, as reported by the kernel.
package struct SandboxFacts: Codable, Hashable, Sendable {
    /// The ABI version of Landlock in force, from 1; 0 means none.
    package var landlockABI: Int
    /// Whether a filter of system calls is in force (seccomp mode 2).
    package var seccomp: Bool
    /// Whether the process cannot gain privileges.
    package var noNewPrivileges: Bool
    /// The process's own namespaces: `user`, `network`, `ipc`.
    package var namespaces: [String]
    /// The limit of the address space in bytes, including code and mapped files.
    package var addressSpace: UInt64
    /// The limit of the size of a written file in bytes.
    package var fileSize: UInt64
    /// The limit of open descriptors.
    package var openFiles: UInt64
    /// The limit of threads, if the kernel counts those of the runner alone, in its user namespace. Nil means that
    /// the host monitors them.
    package var threads: UInt64?

    /// The names of the required layers that are not in force.
    package var missingLayers: [String] {
        var missing: [String] = []
        if landlockABI < 1 { missing.append("Landlock") }
        if !seccomp { missing.append("seccomp") }
        if !noNewPrivileges { missing.append("no new privileges") }
        return missing
    }

    /// The names of the requested namespaces that are not in force.
    package var missingNamespaces: [String] {
        Self.namespaceNames.filter { !namespaces.contains($0) }
    }

    /// The namespaces that a runner requests.
    package static let namespaceNames = ["user", "network", "ipc"]

    /// Whether every required layer is in force.
    package var isComplete: Bool { missingLayers.isEmpty }

    /// Creates facts from their properties.
    package init(
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
