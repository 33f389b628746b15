// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost extensions allow-original`
struct AllowOriginalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allow-original",
        abstract: "Allow an extension to read originals.",
        discussion: """
            An untrusted extension sees only pixels. If its manifest contains readsOriginal, for \
            example because the extension develops RAW files, you can allow it to read a copy of \
            the original file, under its name, in its sandbox. Like trust, this applies to the \
            current build only.
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
                ["identifier": allowed.identifier],
                "\(allowed.identifier) may read originals")
        }
    }
}
