// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

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
            RemoveExtensionCommand.self, TrustExtensionCommand.self,
            UntrustExtensionCommand.self, QuarantineCommand.self,
        ])
}
