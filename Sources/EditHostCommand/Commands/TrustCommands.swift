// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost extensions trust`
struct TrustExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Trust an extension.",
        discussion: """
            A trusted extension shares a process and a pipeline with others, which is faster, and \
            reads and writes files itself. It is still sandboxed; but if the system lacks a layer \
            of the sandbox, it runs with a warning, while untrusted extensions are refused. Trust \
            applies to the current build, identified by the SHA-256 of its manifest, library and \
            hashedFiles; another build has to be trusted again.
            """,
        examples: """
            edithost extensions trust brightness
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or its last part if that is unique.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let trusted = try host.trust(extensionNamed: name)
            try general.output.print(
                ["identifier": .string(trusted.identifier)], "\(trusted.identifier) is trusted")
        }
    }
}

/// `edithost extensions untrust`
struct UntrustExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untrust",
        abstract: "Stop trusting an extension.",
        discussion: """
            It can still be used, isolated in a process of its own that sees only pixels.
            """,
        examples: """
            edithost extensions untrust brightness
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or its last part if that is unique.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let identifier = try host.withdrawTrust(fromExtensionNamed: name)
            try general.output.print(
                ["identifier": .string(identifier)], "\(identifier) is no longer trusted")
        }
    }
}

/// `edithost extensions allow-original`
struct AllowOriginalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow-original",
        abstract: "Allow an extension to read originals.",
        discussion: """
            An untrusted extension sees only pixels. If its manifest has readsOriginal, for \
            example to develop RAW files itself, you can also give it a copy of the original \
            file, with its name, in its sandbox. Like trust, this applies to the current build.
            """,
        examples: """
            edithost extensions allow-original developer
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or its last part if that is unique.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let allowed = try host.allowOriginals(toExtensionNamed: name)
            try general.output.print(
                ["identifier": .string(allowed.identifier)],
                "\(allowed.identifier) may read originals")
        }
    }
}

/// `edithost extensions forbid-original`
struct ForbidOriginalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forbid-original",
        abstract: "Forbid an extension to read originals.",
        discussion: "A trusted extension can still read them.",
        examples: """
            edithost extensions forbid-original developer
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or its last part if that is unique.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let identifier = try host.forbidOriginals(toExtensionNamed: name)
            try general.output.print(
                ["identifier": .string(identifier)],
                "\(identifier) may no longer read originals")
        }
    }
}
