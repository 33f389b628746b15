// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost extensions trust`
struct TrustExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Trust an extension.",
        discussion: """
            An extension that you trust shares a process and a pipeline with others, which is \
            faster, and reads and writes files itself. The sandbox holds for it all the same, \
            but where the system lacks a part of that it is run with a warning, while others are \
            refused. Trust is for the extension as it is now, by the SHA-256 of its manifest, its \
            library and the further files that the manifest names: another build has to be \
            trusted anew.
            """,
        examples: """
            edithost extensions trust brightness
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or the unique last part of it.",
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
        abstract: "Take back your trust in an extension.",
        discussion: "It can be used still, in a process of its own that sees nothing but pixels.",
        examples: """
            edithost extensions untrust brightness
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or the unique last part of it.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let identifier = try host.withdrawTrust(fromExtensionNamed: name)
            try general.output.print(
                ["identifier": .string(identifier)], "\(identifier) is not trusted any more")
        }
    }
}

/// `edithost extensions allow-original`
struct AllowOriginalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow-original",
        abstract: "Let an extension read the originals of what it edits.",
        discussion: """
            An extension that you do not trust sees nothing but pixels. One whose manifest has \
            readsOriginal, because it develops RAW files itself, for example, can be given the \
            original's own file and its name as well: a copy, in its sandbox. This is for the \
            extension as it is now, as trust is.
            """,
        examples: """
            edithost extensions allow-original developer
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or the unique last part of it.",
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
        abstract: "Take back that an extension may read originals.",
        discussion: "An extension that you trust may read them still.",
        examples: """
            edithost extensions forbid-original developer
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or the unique last part of it.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        try await general.withHost { host in
            let identifier = try host.forbidOriginals(toExtensionNamed: name)
            try general.output.print(
                ["identifier": .string(identifier)],
                "\(identifier) may not read originals any more")
        }
    }
}
