// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import EditHost

/// `edithost extensions quarantine`
struct QuarantineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "List and release extensions that failed repeatedly.",
        discussion: """
            An extension that crashes, hangs or breaks the rules \(Quarantine.limit) times without \
            a success between is not run any more, until you release it or install another build.
            """,
        examples: """
            edithost extensions quarantine list
            edithost extensions quarantine release brightness
            """,
        subcommands: [ListQuarantineCommand.self, ReleaseExtensionCommand.self])
}
