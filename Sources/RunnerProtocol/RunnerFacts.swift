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
    /// The libraries behind them whose versions matter.
    package var codecs: [CodecFacts]
    /// What keeps it from doing harm.
    package var sandbox: SandboxFacts

    /// The version of the message format that this build speaks.
    package static let currentProtocol = 14

    /// Makes facts.
    package init(
        protocolVersion: Int = currentProtocol, vipsVersion: String, formats: [MediaFormat],
        loaders: [String] = [], codecs: [CodecFacts] = [], sandbox: SandboxFacts
    ) {
        self.protocolVersion = protocolVersion
        self.vipsVersion = vipsVersion
        self.formats = formats
        self.loaders = loaders
        self.codecs = codecs
        self.sandbox = sandbox
    }
}

/// A library that decodes or encodes pictures.
package struct CodecFacts: Codable, Hashable, Sendable {
    /// Its name, such as `libheif`.
    package var name: String
    /// Its version; nil where it does not tell.
    package var version: String?
    /// The path by which it was loaded; often a link.
    package var file: String?
    /// What it can do, in words such as `decodes HEVC, AV1`.
    package var abilities: [String]

    /// Makes facts.
    package init(name: String, version: String?, file: String?, abilities: [String]) {
        self.name = name
        self.version = version
        self.file = file
        self.abilities = abilities
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
