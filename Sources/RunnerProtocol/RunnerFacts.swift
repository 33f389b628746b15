// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// What a runner is, said when it is ready.
package struct RunnerFacts: Codable, Hashable, Sendable {
    /// The version of the message format; must be ``currentProtocol``.
    package var protocolVersion: Int
    /// The version of libvips, for example `8.14.1`.
    package var vipsVersion: String
    /// The formats that its libvips opens.
    package var formats: [MediaFormat]
    /// The operations of libvips that open them, such as `jpegload_source`; no other is used.
    package var loaders: [String]
    /// What keeps it from doing harm.
    package var sandbox: SandboxFacts

    /// The version of the message format that this build speaks.
    package static let currentProtocol = 6

    /// Makes facts.
    package init(
        protocolVersion: Int = currentProtocol, vipsVersion: String, formats: [MediaFormat],
        loaders: [String] = [], sandbox: SandboxFacts
    ) {
        self.protocolVersion = protocolVersion
        self.vipsVersion = vipsVersion
        self.formats = formats
        self.loaders = loaders
        self.sandbox = sandbox
    }
}

/// What keeps a runner from doing harm, as the kernel reports it.
package struct SandboxFacts: Codable, Hashable, Sendable {
    /// The version of Landlock in force, from 1; 0: none.
    package var landlockABI: Int
    /// Whether a filter of system calls is in force (seccomp mode 2).
    package var seccomp: Bool
    /// Whether the process can gain no privileges.
    package var noNewPrivileges: Bool
    /// The namespaces of its own: `user`, `network`, `ipc`.
    package var namespaces: [String]
    /// The most memory it may have, in bytes: address space, code and mapped files included.
    package var addressSpace: UInt64
    /// The longest file it may write, in bytes.
    package var fileSize: UInt64
    /// The most descriptors it may have open.
    package var openFiles: UInt64
    /// The most threads it may have, where the kernel counts its alone, in its user namespace;
    /// nil: the host watches.
    package var threads: UInt64?

    /// The layers that are required and not in force, by name.
    package var missingLayers: [String] {
        var missing: [String] = []
        if landlockABI < 1 { missing.append("Landlock") }
        if !seccomp { missing.append("seccomp") }
        if !noNewPrivileges { missing.append("no new privileges") }
        return missing
    }

    /// The namespaces that it could have and has not, by name.
    package var missingNamespaces: [String] {
        Self.namespaceNames.filter { !namespaces.contains($0) }
    }

    /// The namespaces that a runner asks for.
    package static let namespaceNames = ["user", "network", "ipc"]

    /// Whether every layer that is required is in force.
    package var isComplete: Bool { missingLayers.isEmpty }

    /// Makes facts.
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
