// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// The command `edithost extensions`.
struct ExtensionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extensions",
        abstract: "List, install, remove, upgrade and trust extensions.",
        discussion: """
            Extensions are folders named Name.editingextension. The search order is the folder \
            extensions next to the program, the folders of EDITHOST_EXTENSION_PATH (separated by \
            colons), $XDG_DATA_HOME/edithost/extensions, and the system's folders. If several \
            have the same identifier, the first one is used.
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
            NewExtensionCommand.self, RunExtensionCommand.self, ValidateExtensionCommand.self,
            PackageExtensionCommand.self, TrustPublisherCommand.self,
            OutdatedExtensionsCommand.self, UpdateExtensionsCommand.self,
        ])
}
