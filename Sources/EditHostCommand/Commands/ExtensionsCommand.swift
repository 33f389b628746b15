// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost
import Foundation

/// `edithost extensions`
struct ExtensionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extensions",
        abstract: "List, show, install, remove and trust extensions.",
        discussion: """
            Extensions are folders named Name.editingextension. They are looked for in the folder \
            extensions beside the program, in the folders of EDITHOST_EXTENSION_PATH (separated \
            by colons), in $XDG_DATA_HOME/edithost/extensions, and in the system's folders. Of \
            two with the same identifier the first one wins.
            """,
        examples: """
            edithost extensions list
            edithost extensions show croprotate
            edithost extensions install Brightness.editingextension
            """,
        subcommands: [
            ListExtensionsCommand.self, ShowExtensionCommand.self, InstallExtensionCommand.self,
            RemoveExtensionCommand.self, ReplaceExtensionCommand.self,
            UpgradeExtensionCommand.self, ExtensionUsageCommand.self, TrustExtensionCommand.self,
            UntrustExtensionCommand.self, AllowOriginalCommand.self,
            ForbidOriginalCommand.self, QuarantineCommand.self, ExtensionManifestCommand.self,
            NewExtensionCommand.self,
        ])
}

/// `edithost extensions install`
struct InstallExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Copy an extension into your own extension folder.",
        discussion: """
            Its manifest is checked, and its library is loaded once in a process of its own; an \
            extension that cannot be used, whose code lacks a parameter of its manifest, or that \
            another of its identifier would shadow, is not installed. Keys of the manifest that \
            are not known are named in a warning. Only regular files and folders are copied; anything else is refused.
            """,
        examples: """
            edithost extensions install Brightness.editingextension
            edithost extensions install --replace Brightness.editingextension
            """)

    @Argument(
        help: ArgumentHelp("A folder named Name.editingextension.", valueName: "path"),
        completion: .directory)
    var path: String

    @Flag(help: "Replace an extension of this identifier that is there.")
    var replace = false

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let folder = HostConfiguration.userExtensionFolder(
            environment: ProcessInfo.processInfo.environment)
        let installed = try await general.withHost { host in
            try await Interruption().run {
                try await host.install(path, into: folder, replacing: replace)
            }
        }
        try general.output.print(
            .object(installed.jsonMembers(reason: installed.reason)),
            "installed \(installed.identifier) in \(installed.path)")
    }
}

/// `edithost extensions remove`
struct RemoveExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an extension from your own extension folder.",
        discussion: """
            Pictures that were edited with it stay as they are; their edits cannot be changed or \
            rendered again until it is installed again.
            """,
        examples: """
            edithost extensions remove brightness
            """)

    @Argument(
        help: ArgumentHelp(
            "The extension: its identifier, or the unique last part of it.",
            valueName: "extension"),
        completion: .installedExtension)
    var name: String

    @OptionGroup var general: GeneralOptions

    func run() async throws {
        let folder = HostConfiguration.userExtensionFolder(
            environment: ProcessInfo.processInfo.environment)
        let removed = try await general.withHost { host in
            try host.removeExtension(named: name, from: folder)
        }
        for removed in removed {
            try general.output.print(
                .object(removed.jsonMembers(reason: nil)),
                "removed \(removed.identifier) from \(removed.path)")
        }
    }
}
